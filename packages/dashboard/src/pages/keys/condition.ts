import type { ApiKey } from '../../api/keys.ts'

/** Condition of a key: `soon` works still, and ends within 14 days; `expired` and `off` are refused. */
export type Condition = 'active' | 'soon' | 'expired' | 'off'

/** From how far an end is near, in milliseconds: 14 days, as GET /overview counts them. */
export const SOON_MS = 14 * 86_400_000

/** Tells the condition of a key. @param now in milliseconds since 1970 */
export function conditionOf({ active, expirationDate }: Pick<ApiKey, 'active' | 'expirationDate'>, now: number): Condition {
  const left = expirationDate === null ? Number.POSITIVE_INFINITY : Date.parse(expirationDate) - now
  if (left <= 0) return 'expired'
  if (!active) return 'off'
  return left <= SOON_MS ? 'soon' : 'active'
}

/** States to which the list may be narrowed. */
type Shown = 'all' | 'working' | Exclude<Condition, 'active'> | 'unused'

/** Reads which of the states a text of the address names. */
export function shownOf(text: string | null): Shown {
  return SHOWN.find(({ value }) => value === text)?.value ?? 'all'
}

/** The choices, in the order of the list. */
export const SHOWN: readonly { readonly value: Shown; readonly label: string }[] = [
  { value: 'all', label: 'All states' },
  { value: 'working', label: 'Active' },
  { value: 'soon', label: 'Ends soon' },
  { value: 'off', label: 'Off' },
  { value: 'expired', label: 'Expired' },
  { value: 'unused', label: 'Never used' },
]

/**
 * Filters the keys that are searched for: by a part of name, description or account, or by the start of a value or an id.
 *
 * @param nameOf the name of an account
 */
export function matching(
  keys: readonly ApiKey[],
  { text, shown: view, now }: { readonly text: string; readonly shown: Shown; readonly now: number },
  nameOf: (account: string) => string,
): readonly ApiKey[] {
  const words = text.trim().toLowerCase()
  return keys.filter((key) => {
    if (!isShown(key, view, now)) return false
    if (words === '') return true
    const { ulid, name, description, account } = key
    if (`svc_${ulid}`.toLowerCase().startsWith(words) || ulid.toLowerCase().startsWith(words)) return true
    return [name, description ?? '', account === undefined ? '' : nameOf(account)].some((each) => each.toLowerCase().includes(words))
  })
}

function isShown(key: ApiKey, view: Shown, now: number): boolean {
  if (view === 'all') return true
  if (view === 'unused') return key.lastUsedAt === null
  const condition = conditionOf(key, now)
  return view === 'working' ? condition === 'active' || condition === 'soon' : condition === view
}

/** Makes a name that nobody has yet, for what takes the place of a key: `payments-2` after `payments`. */
export function nextName(name: string, names: ReadonlySet<string>): string {
  const [, stem = name, number] = /^(.*\D)-(\d{1,6})$/.exec(name) ?? []
  for (let next = number === undefined ? 2 : Number(number) + 1; ; next += 1) {
    const candidate = `${stem.slice(0, 190)}-${next}`
    if (!names.has(candidate)) return candidate
  }
}
