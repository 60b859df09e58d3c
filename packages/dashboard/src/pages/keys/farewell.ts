import type { ApiKey } from '../../api/keys.ts'

/** When a key ends that another one takes the place of: at once, after days, or when somebody says so. */
export type Farewell = 'now' | '1' | '7' | '30' | 'stays'

/** The choices. The service itself ends the key: no page has to be open then. */
export const FAREWELLS: readonly { readonly value: Farewell; readonly label: string }[] = [
  { value: 'now', label: 'At once' },
  { value: '1', label: 'In a day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: 'stays', label: 'Not by itself' },
]

const DAY_MS = 86_400_000

/** Returns what to change of the old key, null when nothing: an end that it has already and that is sooner stays. @param now in milliseconds since 1970 */
export function farewellTo(
  { active, expirationDate }: Pick<ApiKey, 'active' | 'expirationDate'>,
  farewell: Farewell,
  now: number,
): { readonly active: false } | { readonly expirationDate: string } | null {
  if (farewell === 'stays') return null
  if (farewell === 'now') return active ? { active: false } : null
  const end = now + Number(farewell) * DAY_MS
  if (expirationDate !== null && Date.parse(expirationDate) <= end) return null
  return { expirationDate: new Date(end).toISOString() }
}
