import { type Context, protocol } from '@svc/contract'
import { MoveAddress, type MoveClient, type MoveNode, type MoveSettings, move } from '@svc/kit-move'
import { type Static, type TObject, Type } from 'typebox'
import { type LearnedFacts, nothingLearned, rememberLearned } from './chain/learned.ts'

/** Settings particular to Sui staking. */
const settings = {
  validator: Type.Unsafe<string>({
    ...MoveAddress,
    description: "The operator's validator: its address. Needed for staking and for staking-info; positions with any validator are shown.",
  }),
}

export const { defineAction, definePlugin } = protocol(move, settings)

type Settings = Static<TObject<typeof settings>>
export type StakingContext = Context<MoveClient, MoveSettings & Settings>
/** A context with the endpoint that the work under way is done with. */
export type Reading = StakingContext & { readonly node: MoveNode; readonly learned: LearnedFacts }

/** Does a reading with one endpoint, and begins it anew with the next one when the endpoint gives no verdict of the chain. @throws 502, 503, 504 */
export async function withNode<T>(ctx: StakingContext, read: (reading: Reading) => Promise<T>): Promise<T> {
  const { value, learned } = await ctx.client.exchange(async (node) => {
    const learned = nothingLearned()
    return { value: await read({ ...ctx, node, learned }), learned }
  })
  rememberLearned(ctx, learned)
  return value
}
