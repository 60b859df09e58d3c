import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { TrustDocument } from '@svc/verify/inspect'
import { protocols } from './intents.ts'

const plugins = new URL('../../../../plugins/', import.meta.url)

/** What `svc trust` printed of the sandbox on which the examples of all plugins are recorded. */
export const trust: TrustDocument = JSON.parse(readFileSync(new URL('../inspector/trust.recorded.json', import.meta.url), 'utf8'))

interface Exchange {
  readonly request?: Readonly<Record<string, unknown>>
  readonly response: unknown
}

/** A protocol with what was recorded of it: `stake` gives what was asked and answered. */
export interface RecordedProtocol {
  readonly plugin: string
  readonly path: string
  readonly exchanges: Readonly<Record<string, Exchange>>
}

/** Every plugin of the workspace whose console examples are recorded, and its recorded actions: those that an operator adds by himself have none. */
const examined = readdirSync(plugins).filter((plugin) => existsSync(new URL(`${plugin}/src/examples.generated.json`, plugins)))

export const recorded: readonly RecordedProtocol[] = examined.map((plugin) => {
  const manifest: { readonly exchanges: Readonly<Record<string, Exchange>> } = JSON.parse(
    readFileSync(new URL(`${plugin}/src/examples.generated.json`, plugins), 'utf8'),
  )
  const exchanges = Object.fromEntries(
    Object.entries(manifest.exchanges).flatMap(([name, exchange]) => {
      const [, action] = /^post \/action\/(.+)$/.exec(name) ?? []
      return action === undefined ? [] : [[action, exchange]]
    }),
  )
  const path = protocols.find(({ actions, path }) => Object.keys(actions).every((name) => name in exchanges) && isOf(plugin, path))?.path
  if (path === undefined) throw new Error(`no intent of the Inspector is that of ${plugin}`)
  return { plugin, path, exchanges }
})

/** The paths of plugins whose name says something else. */
function isOf(plugin: string, path: string): boolean {
  const named: Readonly<Record<string, string>> = {
    'evm-vault': '/evm-one/vault-one',
    'evm-three-liquid': '/evm-three/liquid-a',
    'move-native': '/move-one/native',
    'svm-native': '/svm-one/native',
    'svm-liquid': '/svm-one/liquid-b',
  }
  return path === (named[plugin] ?? `/${plugin}/native`)
}
