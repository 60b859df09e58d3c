import type { Bounds, Facts, ValidUntil } from '@svc/contract'
import type { Static } from 'typebox'
import { readCrafted, readSent } from '../names.ts'
import type { MoveNetwork } from '../settings.ts'
import type { Unsigned } from '../transaction.ts'
import type { MoveWire } from '../wire.ts'
import { type Reference, readReferences, referencesOf, writeReferences } from './references.ts'

/** Validity from a transaction's bytes: how long it can land. */
export interface Validity {
  readonly references: readonly Reference[]
  /** First and last epoch in which it can land. */
  readonly from: bigint | null
  readonly until: bigint | null
  /** MIST that it takes for gas at most. */
  readonly budget: bigint
}

/** Objects that are named to a caller: it travels in a header, and 256 coins can pay. */
const MOST_NAMED = 16

/** Reads the bounds from signed bytes. @throws 400 as `names.signed` */
export function moveBounds(body: Static<MoveWire['broadcast']>, network: MoveNetwork): Bounds {
  const { data, signers } = readSent(body, network).unsigned
  const validity = validityOf(data)
  const { references, from, until, budget } = validity
  const facts: Facts = {
    objects: writeReferences(references),
    budget: String(budget),
    ...(from === null ? {} : { from: String(from) }),
    ...(until === null ? {} : { until: String(until) }),
  }
  const [wallet] = signers
  if (wallet === undefined) throw new TypeError('a transaction without a sender was named')
  return { wallet, validUntil: validUntilOf(validity, null), facts }
}

/** Returns the validity of a transaction that was just crafted. Only the chain knows when an epoch ends. */
export function moveValidUntil(unsigned: Static<MoveWire['unsigned']>, network: MoveNetwork): ValidUntil {
  return validUntilOf(validityOf(readCrafted(unsigned, network).data), null)
}

/** Reads the validity that `moveBounds` put into facts. */
export function readValidity({ objects = '', from, until, budget = '0' }: Facts): Validity {
  return {
    references: readReferences(objects),
    from: from === undefined ? null : BigInt(from),
    until: until === undefined ? null : BigInt(until),
    budget: BigInt(budget),
  }
}

/** Writes the end of a transaction's validity for callers. @param estimatedAt when its last epoch ends */
export function validUntilOf({ references, until }: Validity, estimatedAt: Date | null): ValidUntil {
  if (until !== null) return { kind: 'epoch', value: String(until), estimatedAt }
  const labels = references.slice(0, MOST_NAMED).map(({ id, version }) => `${id}@${version}`)
  return { kind: 'object_versions', value: labels.length === 0 ? null : labels.join(','), estimatedAt: null }
}

function validityOf(data: Unsigned['data']): Validity {
  return { references: referencesOf(data), ...epochsOf(data), budget: BigInt(data.gasData.budget ?? 0) }
}

function epochsOf({ expiration }: Unsigned['data']): Pick<Validity, 'from' | 'until'> {
  if (!expiration || expiration.$kind === 'None') return { from: null, until: null }
  if (expiration.$kind === 'Epoch') return { from: null, until: BigInt(expiration.Epoch) }
  const { minEpoch, maxEpoch } = expiration.$kind === 'ValidDuring' ? expiration.ValidDuring : expiration.Validity
  return { from: minEpoch == null ? null : BigInt(minEpoch), until: maxEpoch == null ? null : BigInt(maxEpoch) }
}
