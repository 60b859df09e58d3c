import { membersOf } from '@svc/contract'
import { type AnyKit, amountMark, literalOf } from '@svc/contract/host'
import type { FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'

/** Members of a refused craft's body that the audit log keeps, as far as they can be read. */
export interface CraftRequest {
  /** Wallet that would have signed, in the canonical form of the family; null where the body names none that can be read. */
  readonly wallet: string | null
  /** Amounts as the caller wrote them, by the name of their member. Texts that are no numbers are left out. */
  readonly amounts: Readonly<Record<string, string>>
  /** Texts of the body that are addresses of the family, as the caller wrote them. */
  readonly addresses: readonly string[]
}

/** Form of a number in a request, in whatever notation. The longest amount that can exist has 78 digits, a point and a sign. */
const NUMBER = /^[-+]?[\d.,]{1,80}(?:[eE][-+]?\d{1,4})?$/

/** Extracts wallet, amounts and addresses from the body of a craft, for records of refused requests and never for bytes. Throws nothing, whatever the body is. */
export function askedOf(kit: AnyKit, properties: TProperties, { body }: Pick<FastifyRequest, 'body'>): CraftRequest {
  const members = membersOf(body)
  const amounts: Record<string, string> = {}
  const addresses: string[] = []
  for (const [name, schema] of Object.entries(properties)) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined
    if (amountMark(schema)) {
      const text = typeof value === 'number' ? (literalOf(members, name) ?? String(value)) : value
      if (typeof text === 'string' && NUMBER.test(text)) amounts[name] = text
    } else if (typeof value === 'string' && (name === kit.signer || membersOf(schema)['x-address'])) {
      if (addressOf(name === kit.signer ? walletOf(kit) : kit.address, value) !== null) addresses.push(value)
    }
  }
  const signer = Object.hasOwn(members, kit.signer) ? members[kit.signer] : undefined
  return { wallet: typeof signer === 'string' ? addressOf(walletOf(kit), signer) : null, amounts, addresses }
}

function walletOf(kit: AnyKit): (signer: string) => string {
  return kit.wallet ?? kit.address
}

function addressOf(read: (text: string) => string, text: string): string | null {
  try {
    return read(text)
  } catch {
    return null
  }
}
