import type { ActionInput, Protocol, ProtocolAction, ProtocolNetwork, SandboxState } from '../../api/protocols.ts'

/** Values with which an action is asked for, by member; what is empty is left out, or stands as `<name>` where it is required. */
export type Values = Readonly<Record<string, string>>

/** Parts of the line. */
interface Asked {
  /** Address of the action, whole. */
  readonly address: string
  readonly network: string
  /** Its value, where it may be shown: a sandbox's. */
  readonly apiKey: string | null
  readonly action: Pick<ProtocolAction, 'input'>
  readonly values: Values
}

/** Writes a line for a POSIX shell that asks for a craft. */
export function curlLine({ address, network, apiKey, action, values }: Asked): string {
  return [
    `curl -sS ${quoted(address)}`,
    apiKey === null ? '-H "X-API-KEY: $SVC_API_KEY"' : `-H ${quoted(`X-API-KEY: ${apiKey}`)}`,
    `-H ${quoted(`X-NETWORK: ${network}`)}`,
    "-H 'Content-Type: application/json'",
    `-d ${quoted(bodyText(action.input, values))}`,
  ].join(' \\\n  ')
}

/** Writes the body as JSON, with amounts digit by digit as they were typed: none goes through a float. */
export function bodyText(input: readonly ActionInput[], values: Values): string {
  const members = input.flatMap((each) => {
    const value = values[each.name]?.trim() ?? ''
    if (value === '' && !each.required) return []
    return [`${JSON.stringify(each.name)}: ${value === '' ? JSON.stringify(`<${each.name}>`) : valueText(each, value)}`]
  })
  return `{${members.join(', ')}}`
}

/** Lists required members that are still empty. */
export function missing(input: readonly ActionInput[], values: Values): readonly string[] {
  return input.filter(({ name, required }) => required && (values[name]?.trim() ?? '') === '').map(({ name }) => name)
}

/** A decimal that is an amount is a number, and what JSON has without quotes stays so; whatever else was typed is a text, which the service then refuses with a sentence. */
function valueText({ type, amount }: Pick<ActionInput, 'type' | 'amount'>, value: string): string {
  if (amount || type === 'number' || type === 'integer') return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) ? value : JSON.stringify(value)
  if (type === 'boolean') return /^(true|false)$/.test(value) ? value : JSON.stringify(value)
  return type === 'string' ? JSON.stringify(value) : jsonOr(value)
}

/** Reads a value that is JSON already, such as a list. */
function jsonOr(value: string): string {
  try {
    JSON.parse(value)
    return value
  } catch {
    return JSON.stringify(value)
  }
}

/** Within single quotes a shell takes everything as it is, but a single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Returns the values with which the fields begin: in a sandbox its first wallet, which has test money, and an amount that the protocol takes. */
export function beginning(
  { family, signer }: Pick<Protocol, 'family' | 'signer'>,
  { network, staking_info: info }: Pick<ProtocolNetwork, 'network' | 'staking_info'>,
  { input }: Pick<ProtocolAction, 'input'>,
  sandbox: SandboxState | undefined,
): Values {
  const wallet = sandbox?.wallets.find((each) => each.family === family)
  if (!wallet) return {}
  const least = info?.min_stake_amount ?? '1'
  const amount = /^0(\.|$)/.test(least) ? '1' : least
  const who = wallet.public_key ?? wallet.addresses[`${family}:${network}`] ?? ''
  return {
    [signer]: who,
    ...Object.fromEntries(input.filter((each) => each.amount && each.required).map(({ name }) => [name, amount])),
  }
}
