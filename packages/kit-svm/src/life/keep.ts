import type { Facts } from '@svc/contract'

/** Facts that are kept from one look to the next. Slots and heights. */
export interface Keep {
  /** Slot before which the transaction cannot have landed. Undefined where nobody has seen it fresh: then it may have landed at any time. */
  readonly since?: bigint | undefined
  /** Height after which no block takes it. */
  readonly last?: bigint | undefined
  /** Slot at which its nonce is surely on the chain, where it has not been seen there. */
  readonly settled?: bigint | undefined
  /** Slot of the confirmed block that it was seen in. */
  readonly included?: bigint | undefined
}

const NAMES = ['since', 'last', 'settled', 'included'] as const

/** Reads the facts that the previous look kept. A malformed number is left out, as if it had never been kept. */
export function readKeep(facts: Facts | null): Keep {
  const entries = NAMES.flatMap((name) => {
    const text = facts?.[name]
    return text !== undefined && /^\d{1,20}$/.test(text) ? [[name, BigInt(text)] as const] : []
  })
  return Object.fromEntries(entries)
}

/** Writes the facts that the next look reads with `readKeep`. */
export function writeKeep(keep: Keep): Facts {
  const entries = NAMES.flatMap((name) => (keep[name] === undefined ? [] : [[name, String(keep[name])] as const]))
  return Object.fromEntries(entries)
}
