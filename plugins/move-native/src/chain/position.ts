import type { SuiClientTypes } from '@mysten/sui/client'
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils'
import { EndpointError } from '@svc/contract'
import { badRequest } from '../codes.ts'

import { type StakingContext, withNode } from '../network.ts'
import { FUNGIBLE_STAKED_SUI, STAKED_SUI } from './layouts.ts'
import { readObject } from './objects.ts'

/** Facts that shape a withdrawal. */
export interface Position {
  readonly fungible: boolean
}

/**
 * Reads the kind of position under an identifier, and refuses one that the wallet cannot withdraw.
 *
 * @throws 400 STAKE_NOT_FOUND, STAKE_NOT_OWNED, OBJECT_NOT_STAKE; 502, 503, 504
 */
export async function requirePosition(ctx: StakingContext, wallet: string, id: string): Promise<Position> {
  const object = await withNode(ctx, async (reading) => {
    const present = await readObject(reading, id)
    // Every endpoint is asked: what is new is not there yet at one that is a few checkpoints behind.
    if (present === null) throw new EndpointError('not held', notFound(id))
    return present
  })
  const type = normalizeStructTag(object.type)
  if (type !== STAKED_SUI && type !== FUNGIBLE_STAKED_SUI)
    throw badRequest(
      'OBJECT_NOT_STAKE',
      `The object ${id} is of the type ${shortened(object.type)}, not StakedSui or FungibleStakedSui; staking-balance lists the positions.`,
    )
  const holder = holderOf(object.owner)
  if (holder === null || normalizeSuiAddress(holder) !== wallet)
    throw badRequest(
      'STAKE_NOT_OWNED',
      holder === null
        ? `The position ${id} belongs to no address but to ${keeperOf(object.owner)}; it has to be taken out there first.`
        : `The position ${id} belongs to ${normalizeSuiAddress(holder)}, not to ${wallet}.`,
    )
  return { fungible: type === FUNGIBLE_STAKED_SUI }
}

function notFound(id: string) {
  return badRequest(
    'STAKE_NOT_FOUND',
    `There is no object ${id}. A position that was withdrawn already is gone; one that was put into another object, as by a lending or liquid staking protocol, has to be taken out there first.`,
  )
}

/** The address that may use an object; null when none alone may. */
function holderOf(owner: SuiClientTypes.ObjectOwner): string | null {
  if (owner.$kind === 'AddressOwner') return owner.AddressOwner
  return owner.$kind === 'ConsensusAddressOwner' ? owner.ConsensusAddressOwner.owner : null
}

function keeperOf(owner: SuiClientTypes.ObjectOwner): string {
  return owner.$kind === 'ObjectOwner' ? `the object ${normalizeSuiAddress(owner.ObjectOwner)}` : 'everybody, as a shared or frozen object'
}

function shortened(type: string): string {
  return type.length > 120 ? `${type.slice(0, 120)}…` : type
}
