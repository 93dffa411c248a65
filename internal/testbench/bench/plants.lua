-- A valid creation; at the end, the numbers for internal/testbench/bench/run.
wrk.method = "POST"
wrk.path = "/plants"
wrk.body = '{"id":7,"name":"Fern","tag":"shade"}'
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer token"

-- status counts what is not 2xx; connect, read, write and timeout what failed.
function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("result %d %d %d %d\n",
    summary.requests / (summary.duration / 1e6),
    summary.requests,
    e.status,
    e.connect + e.read + e.write + e.timeout))
end
