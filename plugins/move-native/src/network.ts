import { type Context, type NetworkBase, protocol } from '@svc/contract'
import { MoveAddress, type MoveClient, type MoveNetwork, move } from '@svc/kit-move'
import { type Static, type TObject, Type } from 'typebox'

/** Settings particular to Sui staking. */
const settings = {
  validator: Type.Unsafe<string>({
    ...MoveAddress,
    description: "The operator's validator: its address. Needed for staking and for staking-info; positions with any validator are shown.",
  }),
}

export const { defineAction, definePlugin } = protocol(move, settings)

type Settings = Static<TObject<typeof settings>>
export type StakingNetwork = NetworkBase & MoveNetwork & Settings
export type StakingContext = Context<MoveClient, Settings>
