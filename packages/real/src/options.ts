import { parseArgs } from 'node:util'

/** Options of the command line. */
export interface Options {
  /** Words of nodes, in the order given. */
  readonly nodes: readonly string[]
  /** Random actions of each chain. */
  readonly actions: number
  readonly seed: string
  readonly record: boolean
  /** Builds what is missing, and plays nothing. */
  readonly buildOnly: boolean
  /** The only life to play; null: all of them. */
  readonly life: string | null
  /** Lives that are not played. */
  readonly without: readonly string[]
  /** True if a node that cannot be had here is reported and left out, where it is otherwise a failure. */
  readonly wherePossible: boolean
}

/** A command line that cannot be followed; the message says why. */
export class UsageError extends Error {}

/** Random actions of a chain in a run that says nothing of them. */
const ACTIONS = 500

/** Usage of the command. */
export const USAGE = `pnpm real <node>…|all [--actions N] [--seed TEXT] [--life NAME | --without NAME…] [--record] [--build] [--where-possible]

Builds what is missing, starts chains of the nodes' own software, runs the service on them and plays lives on it.

  --actions N        random actions of each chain (${ACTIONS})
  --seed TEXT        what random choices follow from (the time)
  --life NAME        plays this life alone, as the lines of a run name it
  --without NAME     leaves this life out; may be given several times
  --record           writes the recordings of packages/testing anew
  --build            builds what is missing, and ends
  --where-possible   leaves out what cannot be built here, with the reason; otherwise that is a failure

Programs are kept in SVC_REAL_CACHE, else in staking-transaction-service/real of the user's cache folder.`

/**
 * Reads the command line.
 *
 * @param nodes words of the nodes there are
 * @throws UsageError
 */
export function readOptions(args: readonly string[], nodes: readonly string[], now: Date): Options {
  const { values, positionals } = parsed(args)
  const choices = positionals.includes('all') ? nodes : positionals
  const unknown = choices.filter((word) => !nodes.includes(word))
  if (unknown.length > 0) throw new UsageError(`There is no node ${unknown.join(', ')}; there are ${nodes.join(', ')}.`)
  if (positionals.length === 0) throw new UsageError(`Name at least one of ${nodes.join(', ')}, or all.`)
  const actions = values.actions ?? String(ACTIONS)
  if (!/^\d{1,5}$/.test(actions)) throw new UsageError(`--actions is ${actions}; it must be a whole number from 0 to 99999.`)
  return {
    nodes: [...new Set(choices)],
    actions: Number(actions),
    seed: values.seed ?? now.toISOString(),
    life: values.life ?? null,
    without: values.without ?? [],
    record: values.record === true,
    buildOnly: values.build === true,
    wherePossible: values['where-possible'] === true,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        actions: { type: 'string' },
        seed: { type: 'string' },
        life: { type: 'string' },
        without: { type: 'string', multiple: true },
        record: { type: 'boolean' },
        build: { type: 'boolean' },
        'where-possible': { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
