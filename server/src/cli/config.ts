import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LoadedConfig } from '@svc/core'
import { home } from '../home.ts'
import { Refusal } from './refusal.ts'

/** Names that a config is looked for under, in the working folder. */
const NAMES = ['svc.config.ts', 'svc.config.mts', 'svc.config.js', 'svc.config.mjs', 'svc.config.json']

/** What the sandbox writes into its data folder, so that the other commands can work on it. */
export const SANDBOX_CONFIG = 'sandbox.config.json'

/** Options that every command has. */
export interface GlobalOptions {
  readonly config?: string
  readonly debug?: boolean
}

/** The data folder of the sandbox. */
export function sandboxFolder(): string {
  return resolve(process.env.SVC_DATA || '.svc')
}

/** The config file that was named, or that is in the working folder; undefined when there is none. */
export function findConfig({ config }: GlobalOptions): string | undefined {
  if (config) return resolve(config)
  const name = NAMES.find((each) => existsSync(each))
  return name && resolve(name)
}

/** The config that a command works on, or the running sandbox's when there is none, which is then said on stderr. */
export function configPath(options: GlobalOptions): string {
  const found = findConfig(options)
  if (found) return found
  const sandbox = join(sandboxFolder(), SANDBOX_CONFIG)
  if (!existsSync(sandbox))
    throw new Refusal(
      `There is no config (--config, SVC_CONFIG, or svc.config.ts or svc.config.json\nin ${process.cwd()}), and no sandbox in ${sandboxFolder()}.\n${HOW_TO}`,
    )
  console.error(`No config here; working on the sandbox in ${relative('', sandboxFolder()) || '.'}.`)
  return sandbox
}

/** How somebody without a config goes on. */
export const HOW_TO = `To write one, start from config.example.ts or config.example.json of the package
@svc/server: it names the plugins with their networks and endpoints, and the
accounts. To try the service without one, start it with @svc/sandbox installed.`

/** Reads and checks a config. @throws SettingsError */
export async function load(file: string): Promise<LoadedConfig> {
  const { loadConfig } = await import('@svc/core')
  return { ...(await besideHome(file, () => loadConfig(file))), home }
}

/** Reads a config as it was written. @throws SettingsError */
export async function read(file: string): Promise<unknown> {
  const { readConfig } = await import('@svc/core')
  return besideHome(file, () => readConfig(file))
}

/** While `work` runs, what a config imports and has not beside it is found among the server's own packages: `@svc/core` and the plugins. */
async function besideHome<T>(file: string, work: () => Promise<T>): Promise<T> {
  const config = pathToFileURL(file).href
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context)
      } catch (error) {
        const missing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
        if (!missing || context.parentURL !== config || /^[./]|^\w+:/.test(specifier)) throw error
        return next(specifier, { ...context, parentURL: pathToFileURL(home).href })
      }
    },
  })
  try {
    return await work()
  } finally {
    hooks.deregister()
  }
}
