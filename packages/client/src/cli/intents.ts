import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unfit } from '@svc/verify/inspect'
import type { Intent, NetworkTerms } from '@svc/verify/intent'
import { type TrustDocument, termsFor } from '../trust.ts'
import { Mistake } from './outcome.ts'

/** An intent, and the pinned terms of one of its networks. */
export interface Bound {
  readonly intent: Intent
  readonly terms: NetworkTerms & Readonly<Record<string, string | number>>
}

/**
 * The intent of a protocol, from the folder where the command runs, with its terms.
 *
 * @param protocol `evm-three`, or the name of a package
 * @throws Mistake, SetupError
 */
export async function bind(folder: string, protocol: string, trust: TrustDocument, network: string | undefined): Promise<Bound> {
  const intent = await importIntent(folder, protocol)
  const terms = termsFor(trust, intent.path, network)
  const wrong = unfit(intent, terms)
  if (wrong !== null) throw new Mistake(wrong)
  return { intent, terms }
}

/** The two hubs share one package. */
function packageOf(protocol: string): string {
  if (/[@/]/.test(protocol)) return protocol
  return `@svc/intent-${protocol.startsWith('hub-') ? 'hub' : protocol}`
}

async function importIntent(folder: string, protocol: string): Promise<Intent> {
  if (!/^(@[a-z0-9._-]+\/)?[a-z0-9._-]+$/.test(protocol))
    throw new Mistake(`${JSON.stringify(protocol)} is neither a protocol nor the name of a package.`)
  const name = packageOf(protocol)
  const file = find(folder, name)
  const loaded: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href)
  const intents = Object.values(loaded).filter(isIntent)
  const [only, second] = intents
  if (only === undefined) throw new Mistake(`${name} exports no intent.`)
  if (second === undefined) return only
  const meant = intents.find(({ path }) => path.startsWith(`/${protocol}/`))
  if (meant) return meant
  throw new Mistake(`${name} has the intents of ${intents.map(({ path }) => path.split('/')[1]).join(', ')}: say which.`)
}

function find(folder: string, name: string): string {
  try {
    return createRequire(join(folder, 'package.json')).resolve(name)
  } catch {
    throw new Mistake(`${name} is not installed in ${folder}: npm install ${name}.`)
  }
}

function isIntent(value: unknown): value is Intent {
  if (typeof value !== 'object' || value === null || !('family' in value && 'path' in value && 'actions' in value)) return false
  return typeof value.path === 'string' && typeof value.family === 'object' && typeof value.actions === 'object'
}
