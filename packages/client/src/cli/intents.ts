import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unfit } from '@svc/verify/inspect'
import type { Intent, NetworkTerms, TermValue } from '@svc/verify/intent'
import { type TrustDocument, termsFor } from '../trust.ts'
import { Mistake } from './outcome.ts'

/** An intent, and the pinned terms of one of its networks. */
export interface BoundIntent {
  readonly intent: Intent
  readonly terms: NetworkTerms & Readonly<Record<string, TermValue>>
}

/** Finds an intent. @param protocol `evm-three`, `evm-three/native`, or the name of a package with its scope @throws Mistake */
export type IntentFinder = (protocol: string) => Promise<Intent>

/** Intents that a program has in itself. */
export interface BuiltIntents {
  /** Version of the program. */
  readonly version: string
  readonly intents: readonly NamedIntent[]
}

/** Makes a finder of intents: among those built into a program, or, where it has none built in, among the packages of the folder where it runs. */
export function intentFinder(built: BuiltIntents | null, folder: string): IntentFinder {
  if (built === null) return (protocol) => importIntent(folder, protocol)
  return async (protocol) => {
    const intent = fitting(built.intents, protocol.replace(/^\//, ''))
    if (intent) return intent
    throw new Mistake(
      `there is no intent of ${JSON.stringify(protocol.slice(0, 60))} in this program; there are those of ${listed(built.intents)}.`,
    )
  }
}

/** Binds an intent to the terms of one of its networks. @throws Mistake, SetupError */
export function bind(intent: Intent, trust: TrustDocument, network: string | undefined): BoundIntent {
  const terms = termsFor(trust, intent.path, network)
  const wrong = unfit(intent, terms)
  if (wrong !== null) throw new Mistake(wrong)
  return { intent, terms }
}

async function importIntent(folder: string, protocol: string): Promise<Intent> {
  if (/^\/?[a-z0-9-]+(\/[a-z0-9-]+)?$/.test(protocol)) return findInstalled(folder, protocol.replace(/^\//, ''))
  if (!/^@[a-z0-9._-]+\/[a-z0-9._-]+$/.test(protocol))
    throw new Mistake(`${JSON.stringify(protocol)} is neither a protocol nor the name of a package.`)
  const intents = await intentsOf(folder, protocol)
  if (intents === null) throw new Mistake(`${protocol} is not installed in ${folder}.`)
  const [only, second] = intents
  if (only === undefined) throw new Mistake(`${protocol} exports no intent.`)
  if (second === undefined) return only.intent
  throw new Mistake(`${protocol} has the intents of ${listed(intents)}: say which, by --protocol ${first(only)}.`)
}

/**
 * Looks for a protocol among the intents that are installed, by the path that each serves: those of this project first, and code of others only when none of
 * these has it. A package that is not installed is not named, since nobody may own it yet.
 *
 * @param protocol `evm-three/native`, or its first part, or what the name of its package says behind `intent-`
 */
async function findInstalled(folder: string, protocol: string): Promise<Intent> {
  const names = installedIntents(folder)
  const all: NamedIntent[] = []
  for (const isOurs of [true, false]) {
    const intents: NamedIntent[] = []
    for (const name of names.filter((each) => each.startsWith(OURS) === isOurs)) intents.push(...((await intentsOf(folder, name)) ?? []))
    all.push(...intents)
    const intent = fitting(intents, protocol)
    if (intent) return intent
  }
  const inventory = all.length > 0 ? `there are those of ${listed(all)}` : 'there is none'
  throw new Mistake(
    `no intent of ${protocol} is installed: among the packages in ${folder} whose names begin with intent-, ${inventory}. Which package has it, the protocol's documentation says.`,
  )
}

/** Finds the intent that a word means, by its path, its package or the first part of its path. @throws Mistake for more than one */
function fitting(intents: readonly NamedIntent[], protocol: string): Intent | null {
  for (const fits of [
    ({ intent }: NamedIntent) => intent.path === `/${protocol}`,
    ({ name }: NamedIntent) => name.replace(/^.*intent-/, '') === protocol && intents.filter((each) => each.name === name).length === 1,
    (each: NamedIntent) => first(each) === protocol,
  ]) {
    const matches = intents.filter(fits)
    const [only] = matches
    if (only && matches.length === 1) return only.intent
    if (only)
      throw new Mistake(
        `${protocol} is in more than one of the intents that are there: ${listed(matches)}. Say the whole path, or the package.`,
      )
  }
  return null
}

/** An intent, and the package that exports it. */
interface NamedIntent {
  readonly name: string
  readonly intent: Intent
}

function first({ intent: { path } }: NamedIntent): string {
  return path.split('/')[1] ?? ''
}

function listed(intents: readonly NamedIntent[]): string {
  return intents.map(({ name, intent }) => `${intent.path.slice(1)} (${name})`).join(', ')
}

const OURS = '@svc/'

/** Names of packages that can be found from a folder and are named as an intent is, such as `@svc/intent-evm-three`; runs none of their code. */
function installedIntents(folder: string): readonly string[] {
  const names = new Set<string>()
  for (const modules of createRequire(join(folder, 'package.json')).resolve.paths('intent') ?? []) {
    for (const name of entries(modules)) {
      if (name.startsWith('@')) for (const scoped of entries(join(modules, name))) names.add(`${name}/${scoped}`)
      else names.add(name)
    }
  }
  return [...names].filter((name) => /^(@[^/]+\/)?intent-/.test(name)).sort()
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Imports the intents that a package exports; null when it is not installed. */
async function intentsOf(folder: string, name: string): Promise<readonly NamedIntent[] | null> {
  const file = fileOf(folder, name)
  if (file === null) return null
  const loaded: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href)
  return Object.values(loaded)
    .filter(isIntent)
    .map((intent) => ({ name, intent }))
}

function fileOf(folder: string, name: string): string | null {
  try {
    return createRequire(join(folder, 'package.json')).resolve(name)
  } catch {
    return null
  }
}

function isIntent(value: unknown): value is Intent {
  if (typeof value !== 'object' || value === null || !('family' in value && 'path' in value && 'actions' in value)) return false
  return typeof value.path === 'string' && typeof value.family === 'object' && typeof value.actions === 'object'
}
