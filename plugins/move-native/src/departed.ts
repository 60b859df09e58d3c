import type { SuiClientTypes } from '@mysten/sui/client'
import { normalizeSuiAddress } from '@mysten/sui/utils'
import type { Control, Departed } from '@svc/contract/control'
import { readOwners } from './chain/objects.ts'
import { type StakingContext, withNode } from './network.ts'

/**
 * Finds out what became of objects that a wallet had: who owns them now, or that they no longer exist. A node does not tell whether an object was withdrawn, joined or made
 * fungible, or wrapped into another one. An object that is still the wallet's, as at a node that is behind, is left out.
 *
 * @throws 502, 503, 504
 */
export async function departed(ctx: StakingContext, address: string, ids: readonly string[]): Promise<Departed> {
  const owners = await withNode(ctx, (reading) => readOwners(reading, ids))
  return new Map(
    [...owners].flatMap(([id, owner]): readonly (readonly [string, readonly Control[] | null])[] => {
      if (owner === null) return [[id, null]]
      const control = controlOf(id, owner)
      return control.holder === address ? [] : [[id, [control]]]
    }),
  )
}

/** The power of whoever has an object. Putting it into another object is what lending and liquid staking protocols do with it, at the word of its owner. */
function controlOf(objectId: string, owner: SuiClientTypes.ObjectOwner): Control {
  const shared = { aspect: 'owner', objectId } as const
  switch (owner.$kind) {
    case 'AddressOwner':
      return { ...shared, holder: normalizeSuiAddress(owner.AddressOwner), terms: null }
    case 'ConsensusAddressOwner':
      return { ...shared, holder: normalizeSuiAddress(owner.ConsensusAddressOwner.owner), terms: null }
    case 'ObjectOwner':
      return { ...shared, holder: normalizeSuiAddress(owner.ObjectOwner), terms: 'held by an object', severity: 'warning' }
    case 'Immutable':
      return { ...shared, holder: null, terms: 'frozen for good' }
    default:
      return { ...shared, holder: null, terms: 'shared with everybody' }
  }
}
