# The program alone: a static binary, the certificates that https documents are
# fetched with, nobody's user.
#
#   docker build -t coldframe .
#   docker run --rm -p 4010:4010 coldframe                      # the Plant Store
#   docker run --rm -p 4010:4010 -v "$PWD:/spec" coldframe      # your openapi.yaml

FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION
ARG TARGETOS
ARG TARGETARCH
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o bin/coldframe ./cmd/coldframe

FROM scratch AS settings
COPY --from=golang:1.26 /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
ENV PATH=/usr/local/bin
ENV COLDFRAME_HOST=0.0.0.0
EXPOSE 4010
WORKDIR /spec
USER 65532:65532
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["coldframe", "health"]
ENTRYPOINT ["coldframe"]

# For .goreleaser.yaml, which has built the program.
FROM settings AS packaged
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/coldframe /usr/local/bin/coldframe

FROM settings
COPY --from=build /src/bin/coldframe /usr/local/bin/coldframe
