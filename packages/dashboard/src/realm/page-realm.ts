import { readExports } from './exports.ts'
import { type Inspectorate, inspectBy, protocolsOf } from './inspection.ts'

/** Reads by intents that ran in this page already, as those of a saved file do, which has no credential and whose policy lets it reach nobody. */
export function inspectorateWithin(exported: readonly unknown[]): Inspectorate {
  const faults: string[] = []
  const scripts = exported.flatMap((each, index) => {
    try {
      return [readExports(each)]
    } catch (error) {
      faults.push(`Intent ${index + 1} of this file could not be loaded: ${error instanceof Error ? error.message : String(error)}`)
      return []
    }
  })
  return { protocols: scripts.flatMap(protocolsOf), faults, inspect: (question) => inspectBy(scripts, question) }
}
