import { SettingsError } from '@svc/contract'

/**
 * Replaces `${NAME}` in every text of a config by the environment's value, and `${NAME:-text}` by the text where there is none.
 *
 * @throws SettingsError naming the path and the variable that is not set
 */
export function fillEnvironment(value: unknown, env: NodeJS.ProcessEnv, path = ''): unknown {
  if (typeof value === 'string') return fillText(value, env, path)
  if (Array.isArray(value)) return value.map((each, index) => fillEnvironment(each, env, `${path}.${index}`))
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillEnvironment(each, env, path ? `${path}.${key}` : key)]))
  return value
}

/** A sentence for every variable that a config needs and the environment has not. */
export function unsetVariables(value: unknown, env: NodeJS.ProcessEnv, path = ''): readonly string[] {
  if (typeof value === 'string') {
    try {
      fillText(value, env, path)
      return []
    } catch (error) {
      if (error instanceof SettingsError) return [error.message]
      throw error
    }
  }
  if (Array.isArray(value)) return value.flatMap((each, index) => unsetVariables(each, env, `${path}.${index}`))
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.entries(value).flatMap(([key, each]) => unsetVariables(each, env, path ? `${path}.${key}` : key))
  return []
}

function fillText(text: string, env: NodeJS.ProcessEnv, path: string): string {
  return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_, name: string, fallback?: string) => {
    const value = env[name] || fallback
    if (value === undefined) throw new SettingsError(`${path} needs the environment variable ${name}, which is not set.`)
    return value
  })
}
