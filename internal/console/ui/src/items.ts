// Items of a session, by collection.
import { api, done, Refused, session, sessionHeader } from './api'
import { changed } from './live'

export type Collections = Record<string, unknown[]>

export const getState = async (): Promise<Collections> => {
  const { collections } = await done(api.GET('/__coldframe/state', { headers: sessionHeader() }))
  return collections as Collections
}

// putState replaces all items and returns the warnings. name is of the session.
export async function putState(collections: unknown, name = session.value) {
  const { findings } = await done(api.PUT('/__coldframe/state', { headers: { ...sessionHeader(name), 'Content-Type': 'application/json' }, body: collections as Record<string, never> }))
  changed()
  return findings
}

// change replaces one item by another, adds one (before is undefined) or removes one (after is undefined).
export async function change(collection: string, before: unknown, after: unknown) {
  const state = await getState(), items = [...(state[collection] ?? [])]
  const text = JSON.stringify(before), at = before === undefined ? items.length : items.findIndex(item => JSON.stringify(item) === text)
  if (at < 0) throw new Error('The item has changed meanwhile. Open it again.')
  items.splice(at, before === undefined ? 0 : 1, ...(after === undefined ? [] : [after]))
  try {
    return await putState({ ...state, [collection]: items })
  } catch (error) {
    // The places are in the text of the whole state: what is left is the part below the item.
    const inItem = `/${collection.replaceAll('~', '~0').replaceAll('/', '~1')}/${at}/`
    if (error instanceof Refused) for (const e of error.problem.errors ?? []) e.detail = e.detail.replace(/^body:\d+:\d+: /, '').replace(inItem, '')
    throw error
  }
}
