import { membersOf, SettingsError } from '@svc/contract'
import { quoted } from '../base/readable-text.ts'

/** Source of the port on which the service listens: the config, the variable `PORT` that hosting platforms set, or the default. */
export type PortFrom = 'config' | 'PORT' | 'default'

/** Returns the source of the port: the config, the environment's PORT, or the default. @param input the config as it was written */
export function portFrom(input: unknown, env: NodeJS.ProcessEnv): PortFrom {
  if (membersOf(membersOf(input).listen).port !== undefined) return 'config'
  return env.PORT ? 'PORT' : 'default'
}

/**
 * Puts the environment's PORT into a config that names no port: a platform that runs programs for others sets PORT to where it forwards requests.
 *
 * @param input with its texts filled in
 * @throws SettingsError when PORT is no port
 */
export function fillPort(input: unknown, env: NodeJS.ProcessEnv): unknown {
  if (portFrom(input, env) !== 'PORT' || typeof input !== 'object' || input === null) return input
  return { ...input, listen: { ...membersOf(membersOf(input).listen), port: portOf(env.PORT ?? '') } }
}

/** Parses a port number. @throws SettingsError */
export function portOf(text: string): number {
  const number = Number(text)
  if (/^\d{1,5}$/.test(text) && number <= 65_535) return number
  throw new SettingsError(
    `PORT of the environment is ${quoted(text)}; it must be a number from 0 to 65535. --port, SVC_PORT or listen.port in the config count before it.`,
  )
}
