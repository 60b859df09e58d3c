import { type Context, protocol } from '@svc/contract'
import { type CosmosClient, type CosmosSettings, cosmos } from '@svc/kit-cosmos'
import { MsgBeginRedelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { type Static, Type } from 'typebox'

export const PREFIX = 'cosmos'
/** What an account is known by: how its key becomes an address. */
export const ACCOUNTS = { prefix: PREFIX, algorithm: 'secp256k1' } as const
export const DENOM = 'uatom'
export const DECIMALS = 6

/** The family on one chain. The message is not among those that the kit knows, so it is named here, with its codec. */
const kit = cosmos(
  {
    ...ACCOUNTS,
    denom: DENOM,
    decimals: DECIMALS,
    gasPrices: [],
    gasPrice: { minimum: '0.005', fallback: '0.025', percent: 120 },
    issuance: { form: 'annual', module: 'cosmos.mint.v1beta1' },
    /** @see https://forum.cosmos.network/t/governance-adjustment-of-blocks-per-year-to-come-aligned-with-actual-block-time/1682 (6.5 s; read 2026-11-22) */
    inclusionMs: 6_000,
    lookup: 'tx',
  },
  [{ codec: MsgBeginRedelegate, signer: 'delegatorAddress' }],
)

/** Settings particular to the moves: what an operator writes besides the endpoints of a network. */
const settings = {
  source: Type.String({ description: 'Operator address of the validator that stake moves away from.' }),
  target: Type.String({ description: 'Operator address of the validator that it moves to.' }),
}

export const { defineAction, definePlugin } = protocol(kit, settings)

type Settings = { [K in keyof typeof settings]: Static<(typeof settings)[K]> }
export type MovesContext = Context<CosmosClient, CosmosSettings & Settings>
