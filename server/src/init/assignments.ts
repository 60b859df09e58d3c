import { membersOf } from '@svc/contract'
import { firstProblem } from '@svc/contract/host'
import type { settingsSchema } from '@svc/core/plugins'
import { Refusal } from '../cli/refusal.ts'

/** Schema of a network's settings. */
type SettingsSchema = ReturnType<typeof settingsSchema>

/**
 * Reads the settings of one network from texts of the form `chain/name=value`, each by the type that the plugin's schema gives it.
 *
 * @param chain of other networks nothing is read
 * @throws Refusal that names the setting and what would be right
 */
export function valuesOf(texts: readonly string[], chain: string, schema: SettingsSchema): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const each of texts) {
    const [, at, name = '', text = ''] = /^([^/=]+)\/([^=]+)=(.*)$/s.exec(each) ?? []
    if (at === undefined) throw new Refusal(`${each} is no setting; it has to be like ${chain}/validator=<address>.`)
    if (at !== chain) continue
    const property = schema.properties[name]
    if (property === undefined)
      throw new Refusal(`${name}: there is no such setting. Known here: ${Object.keys(schema.properties).join(', ')}.`)
    const value = typedValue(text, membersOf(property))
    const problem = firstProblem(property, value, name)
    if (problem !== null) throw new Refusal(problem)
    values[name] = value
  }
  return values
}

/** A text as what its schema asks for; it stays a text where it is none, and is then refused by the schema. */
function typedValue(text: string, { type, anyOf }: { readonly type?: unknown; readonly anyOf?: unknown }): unknown {
  if (type === 'string') return text
  if (type === 'integer' || type === 'number') {
    const number = Number(text)
    // Beyond that a number is another one than the one that was written.
    return /^-?\d+(\.\d+)?$/.test(text) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text
  }
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  try {
    return anyOf === undefined && type === undefined ? text : JSON.parse(text)
  } catch {
    return text
  }
}
