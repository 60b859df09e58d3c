import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LoadedConfig } from '@svc/core'
import { placesOf } from '../home.ts'
import { HOW_TO, noConfig, noPlugin } from './next-step.ts'
import { Refusal } from './refusal.ts'

/** Names that a config is looked for under, in the working folder. */
const NAMES = ['svc.config.ts', 'svc.config.mts', 'svc.config.js', 'svc.config.mjs', 'svc.config.json']

/** Config that the sandbox writes into its data folder, so that the other commands can work on it. */
export const SANDBOX_CONFIG = 'sandbox.config.json'

/** Options that every command has. */
export interface GlobalOptions {
  readonly config?: string
  readonly debug?: boolean
}

/** Returns the path of the sandbox's data folder. */
export function sandboxFolder(): string {
  return resolve(process.env.SVC_DATA || '.svc')
}

/** Finds the config file that was named, or that is in the working folder; undefined when there is none. */
export function findConfig({ config }: GlobalOptions): string | undefined {
  if (config) return resolve(config)
  const name = NAMES.find((each) => existsSync(each))
  return name && resolve(name)
}

/** Finds the config that a command works on, or the running sandbox's when there is none, which is then said on stderr. */
export async function configPath(options: GlobalOptions): Promise<string> {
  const path = findConfig(options)
  if (path) return path
  const sandbox = join(sandboxFolder(), SANDBOX_CONFIG)
  if (!existsSync(sandbox)) throw new Refusal(`${noConfig()}\n${await nextStep()}`)
  console.error(`No config here; working on the sandbox in ${relative('', sandboxFolder()) || '.'}.`)
  return sandbox
}

/** For a command that found neither a config nor a sandbox. */
async function nextStep(): Promise<string> {
  const { installedPlugins, operatorFolder } = await import('@svc/core/operate')
  const places = placesOf()
  if ((await installedPlugins(places)).length === 0) return noPlugin(operatorFolder(places))
  return `No sandbox was started in\n${sandboxFolder()} either: \`svc start\` starts one, or says what it needs.\n${HOW_TO}`
}

/** Reads and checks a config. @throws SettingsError */
export async function load(file: string): Promise<LoadedConfig> {
  const { loadConfig } = await import('@svc/core/operate')
  return { ...(await withOwnPackages(file, () => loadConfig(file))), places: placesOf(file) }
}

/** Reads a config as it was written. @throws SettingsError */
export async function read(file: string): Promise<unknown> {
  const { readConfig } = await import('@svc/core/operate')
  return withOwnPackages(file, () => readConfig(file))
}

/**
 * While `work` runs, what a config imports and does not have next to it is looked for in the working folder, as its plugins are; and `@svc/core`,
 * for `defineConfig`, is the server's own where a package manager shows the operator only what he installed himself.
 */
async function withOwnPackages<T>(file: string, work: () => Promise<T>): Promise<T> {
  const config = pathToFileURL(file).href
  const [, ...further] = placesOf(file).map((place) => pathToFileURL(place).href)
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const isPackage = context.parentURL === config && !/^[./]|^\w+:/.test(specifier)
      if (!isPackage) return next(specifier, context)
      const parents = [config, ...further, ...(specifier === '@svc/core' ? [import.meta.url] : [])]
      for (const parentURL of parents.slice(0, -1)) {
        try {
          return next(specifier, { ...context, parentURL })
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
        }
      }
      return next(specifier, { ...context, parentURL: parents.at(-1) })
    },
  })
  try {
    return await work()
  } finally {
    hooks.deregister()
  }
}
