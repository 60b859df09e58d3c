import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { membersOf, SettingsError } from '@svc/contract'

/**
 * Fills a config's texts: `${NAME}` becomes the environment's value, `${NAME:-text}` the text where there is no value, and `${file:/path}` the content of a file without
 * the blanks at its end, whose path may contain `${NAME}`. Inserted text is not filled again.
 *
 * @throws SettingsError naming the path and the variable that is not set, or the file that cannot be read
 */
export function fillEnvironment(value: unknown, env: NodeJS.ProcessEnv, path = ''): unknown {
  if (typeof value === 'string') return fillText(value, env, path)
  if (Array.isArray(value)) return value.map((each, index) => fillEnvironment(each, env, `${path}.${index}`))
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillEnvironment(each, env, path ? `${path}.${key}` : key)]))
  return value
}

/** Returns a sentence for every variable that a config needs and the environment lacks. */
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

const NAME = '[A-Za-z_][A-Za-z0-9_]*'
const TEMPLATE = new RegExp(`\\$\\{(?:file:((?:[^$\\{\\}]|\\$\\{${NAME}\\})+)|(${NAME})(?::-([^}]*))?)\\}`, 'g')

function fillText(text: string, env: NodeJS.ProcessEnv, path: string): string {
  const named = (name: string, fallback?: string) => {
    const value = env[name] || fallback
    if (value === undefined) throw new SettingsError(`${path} needs the environment variable ${name}, which is not set.`)
    return value
  }
  return text.replace(TEMPLATE, (_, file: string | undefined, name: string, fallback?: string) => {
    if (file === undefined) return named(name, fallback)
    return textOf(
      file.replace(new RegExp(`\\$\\{(${NAME})\\}`, 'g'), (_all, inner: string) => named(inner)),
      path,
    )
  })
}

/** Most characters of a file that a setting is read from: the longest PEM of a key has a few thousand. */
const MOST_CHARACTERS = 65_536

/** Reads a setting from a file, such as a secret that the operator's system puts there. Its text stands in no message. */
function textOf(file: string, path: string): string {
  if (!isAbsolute(file)) throw new SettingsError(`${path} names the file ${file}; write its whole path, such as /run/secrets/${file}.`)
  let text: string
  try {
    text = readFileSync(file, 'utf8').trimEnd()
  } catch (error) {
    throw new SettingsError(`${path} needs the file ${file}, which cannot be read (${String(membersOf(error).code ?? error)}).`)
  }
  if (text === '') throw new SettingsError(`${path} needs the file ${file}, which is empty.`)
  if (text.length > MOST_CHARACTERS)
    throw new SettingsError(`${path} needs the file ${file}, which has ${text.length} characters; ${MOST_CHARACTERS} are the most.`)
  return text
}
