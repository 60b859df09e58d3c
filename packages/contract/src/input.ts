import type { TProperties } from 'typebox'
import { type AmountMark, amountMark, formatAmount, isFinerThan, MOST_UNITS, parseAmount } from './amount.ts'
import { badRequest } from './codes.ts'
import { isServiceError, restated } from './errors.ts'
import { literalOf } from './json.ts'
import type { AnyKit } from './kit.ts'
import { membersOf } from './members.ts'

/**
 * Reads a validated body into the form that a plugin takes: amounts in base units, read from the numbers' source text; addresses canonical.
 *
 * @param symbol of the native token, for sentences; an amount of another token has none
 * @param invalidBody status of an address or an amount that does not fit; an amount with more decimals than the token is 400 in every
 *   action, as the specification says
 */
export function readInput(
  kit: AnyKit,
  properties: TProperties,
  body: unknown,
  invalidBody: 400 | 422 = 400,
  symbol: string | undefined = kit.symbol,
): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  const members = membersOf(body)
  for (const [name, schema] of Object.entries(properties)) {
    const value = members[name]
    const mark = amountMark(schema)
    if (value === undefined) continue
    if (mark)
      input[name] = amountOf(
        kit,
        members,
        name,
        value,
        { ...mark, unit: mark.decimals === undefined && symbol !== undefined ? ` ${symbol}` : '' },
        invalidBody,
      )
    else if (membersOf(schema)['x-address']) input[name] = withStatus(invalidBody, () => kit.address(String(value)))
    else input[name] = value
  }
  return input
}

function amountOf(
  kit: AnyKit,
  body: object,
  name: string,
  value: unknown,
  mark: AmountMark & { readonly unit: string },
  invalidBody: 400 | 422,
): bigint {
  const decimals = mark.decimals ?? kit.decimals
  const text = literalOf(body, name) ?? String(value)
  return withStatus(isFinerThan(text, decimals) ? 400 : invalidBody, () => {
    const amount = parseAmount(text, decimals, name)
    if (amount === 0n) throw badRequest('AMOUNT_INVALID', `${name} is zero; it must be above zero.`)
    if (amount > (kit.mostUnits ?? MOST_UNITS))
      throw badRequest('AMOUNT_INVALID', `${name} ${formatAmount(amount, decimals)}${mark.unit} is larger than this chain can carry.`)
    const minimum = mark.minimum === undefined ? 0n : parseAmount(mark.minimum, decimals, name)
    if (amount < minimum)
      throw badRequest(
        'AMOUNT_TOO_SMALL',
        `${name} ${formatAmount(amount, decimals)}${mark.unit} is below the minimum of ${mark.minimum}${mark.unit}.`,
      )
    return amount
  })
}

function withStatus<T>(status: 400 | 422, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (status !== 400 && isServiceError(error) && error.statusCode === 400) throw restated(error, { statusCode: status })
    throw error
  }
}
