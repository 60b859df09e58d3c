import type { Client } from './client.ts'

/** An API key, as the service tells of it: never its value. Times are ISO-8601. */
export interface ApiKey {
  readonly ulid: string
  readonly name: string
  readonly description: string | null
  /** From then on it is refused; null: never. */
  readonly expirationDate: string | null
  readonly active: boolean
  readonly createdAt: string
  /** Up to a minute late; null: never used. */
  readonly lastUsedAt: string | null
  /** Start of its value. */
  readonly prefix: string
  /** Id of its account; told to operators only. */
  readonly account?: string
}

/** Key that was made a moment ago, with the value that is told this once. */
export interface NewApiKey extends ApiKey {
  readonly key: string
}

/** Members that a key is given; in a change, what is left out stays. */
export interface KeyInput {
  readonly name: string
  readonly description: string | null
  /** ISO-8601, in the future; null: it does not expire. */
  readonly expirationDate: string | null
}

/** Keys that were read. */
export interface KeyList {
  /** The newest first. */
  readonly keys: readonly ApiKey[]
  /** True if there are no other keys. */
  readonly complete: boolean
}

/** Most keys of one answer (`LIST_MOST` in core/keys/manage.ts). */
const AT_A_TIME = 1000
/** Most keys that are read for one view, so that it stays quick: a choice of this project. */
const MOST = 10_000

/**
 * Reads the keys of an account, or of all that the token may see. The service answers the oldest first, a thousand at a time.
 *
 * @param account its id; null leaves it to the token
 */
export async function readKeys(api: Client, account: string | null, signal: AbortSignal): Promise<KeyList> {
  const keys: ApiKey[] = []
  for (;;) {
    const page = await api.call<readonly ApiKey[]>('apikeys', { query: { account, after: keys.at(-1)?.ulid }, signal })
    keys.push(...page)
    const complete = page.length < AT_A_TIME
    if (complete || keys.length >= MOST) return { keys: keys.toReversed(), complete }
  }
}

/** Reads one key. */
export function readKey(api: Client, ulid: string, signal: AbortSignal): Promise<ApiKey> {
  return api.call<ApiKey>(`apikeys/${encodeURIComponent(ulid)}`, { signal })
}

/** Makes a key. @param account for whom, with an operator's token */
export function createKey(api: Client, input: KeyInput, account: string | null): Promise<NewApiKey> {
  return api.call<NewApiKey>('apikeys', { method: 'POST', query: { account }, body: input })
}

/** Changes a key. The service answers with the keys of its account; of these the one that was changed is given. */
export async function changeKey(api: Client, ulid: string, changes: Partial<KeyInput> & { readonly active?: boolean }): Promise<ApiKey> {
  const keys = await api.call<readonly ApiKey[]>(`apikeys/${encodeURIComponent(ulid)}`, { method: 'PATCH', body: changes })
  const changed = keys.find((each) => each.ulid === ulid)
  if (!changed) throw new Error(`the answer to the change of ${ulid} does not hold it`)
  return changed
}

/** Deletes a key for good. */
export async function removeKey(api: Client, ulid: string): Promise<void> {
  await api.call<null>(`apikeys/${encodeURIComponent(ulid)}`, { method: 'DELETE' })
}
