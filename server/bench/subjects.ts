import type { ProtocolPlugin } from '@svc/contract'
import { loadPlugin } from '@svc/core'
import type { Sandbox, Stage } from '@svc/sandbox'
import { placesOf } from '../src/home.ts'
import { loadWorlds } from '../src/scenarios.ts'

/** A protocol as the bench knows it: whatever is installed in the working folder, as for `svc start`. */
export interface Subject {
  /** Its package without scope and `plugin-`: the label of its rows. */
  readonly label: string
  readonly name: string
  /** Path of the protocol. */
  readonly prefix: string
  readonly plugin: ProtocolPlugin
}

/** A subject on its local chain, in a state in which every action has something to do: that of its scenario's stage. */
export interface Staged extends Subject {
  /** As in `evm:143`. */
  readonly chain: string
  readonly place: Place
  readonly stage: Stage
}

/** A protocol's network, as an operator would write it. Plain JSON, so that it can be handed to another process. */
export interface Place {
  readonly chainId: string
  readonly network: Readonly<Record<string, unknown>>
}

/** Whom the load, and the limits under a flood, are measured with: one protocol is as good as another. */
const ONE = '@svc/plugin-evm-three'

/** That one. */
export function oneSubject(): Promise<Subject> {
  return subjectOf(ONE)
}

/**
 * The local chains of the installed plugins, and the protocols on them that their scenarios bring into a state to be measured in.
 *
 * @param only packages' names; all without it
 */
export async function stageSubjects(only?: readonly string[]): Promise<{ sandbox: Sandbox; subjects: readonly Staged[] }> {
  const { worlds, sandbox: local } = await loadWorlds(placesOf())
  // One network of each: the others' crafts are the same.
  const selection = worlds.filter(
    ({ plugin, scenario }, index) =>
      scenario.stage && (only?.includes(plugin) ?? true) && worlds.findIndex((world) => world.plugin === plugin) === index,
  )
  const sandbox = await local.startSandbox({ scenarios: selection.map(({ scenario }) => scenario), controlPort: 0, stage: true })
  const subjects = await Promise.all(
    selection.map(async ({ plugin, scenario: { chain } }, index): Promise<Staged> => {
      const endpoints = { rpc: [sandbox.chains[chain]!.rpcUrl], ...sandbox.endpoints[index] }
      const network = { name: 'bench', endpoints, ...sandbox.settings[index] }
      return {
        ...(await subjectOf(plugin)),
        chain,
        stage: sandbox.stages[index]!,
        place: { chainId: chain.slice(chain.indexOf(':') + 1), network },
      }
    }),
  )
  return { sandbox, subjects }
}

/** The same for the one alone. */
export async function stageOne(): Promise<{ sandbox: Sandbox; subject: Staged }> {
  const { sandbox, subjects } = await stageSubjects([ONE])
  return { sandbox, subject: subjects[0]! }
}

async function subjectOf(name: string): Promise<Subject> {
  const { plugin } = await loadPlugin(name, placesOf())
  return { label: name.replace(/^@[^/]+\//, '').replace(/^plugin-/, ''), name, prefix: `/api/v1${plugin.protocol.prefix}`, plugin }
}
