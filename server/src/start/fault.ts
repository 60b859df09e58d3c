import { type Blame, blame, foldersOf, type LoadedPlugin, placesOfError } from '@svc/core'

/** An error that nobody caught, as the operator is told it. */
interface Fault {
  readonly sentence: string
  /** The plugin in whose folder its stack lies; undefined where it is in none, or no error was thrown. */
  readonly where: Blame | undefined
}

/** Names the plugin that an uncaught error came from. @param end what comes of it */
export function faultOf(error: unknown, plugins: readonly LoadedPlugin[], end: 'the service stops' | 'its worker ends'): Fault {
  const where = blame(placesOfError(error), foldersOf(plugins))
  const who = where ? `the plugin ${where.plugin} (${where.at})` : 'something in no plugin’s folder'
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `${String(error)}, which is no Error`
  return { where, sentence: `${who} threw where nobody can catch it, so ${end}: ${text}` }
}
