import { list, members, shaped, text } from './shape.ts'

/** A script with intents, as the service lists it. */
export interface IntentEntry {
  /** Package that programs import it from. */
  readonly package: string
  /** Short names of the plugins that name it. */
  readonly plugins: readonly string[]
  /** Its path from the root of the page. */
  readonly script: string
}

const SHAPE = list(members({ package: text, plugins: list(text), script: text }))

/** Asks the service which intents the installed plugins bring. @throws Error with a sentence */
export async function readIntentList(base: string): Promise<readonly IntentEntry[]> {
  const response = await fetch(new URL('intents.json', base), { credentials: 'omit' }).catch(() => null)
  if (!response?.ok) throw new Error('The service cannot be reached, so that the intents of its protocols are not here yet.')
  return shaped(SHAPE, await response.json(), 'the list of intents')
}
