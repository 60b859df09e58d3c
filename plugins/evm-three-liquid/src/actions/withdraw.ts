import * as intent from '@svc/intent-evm-three-liquid'
import { EvmAddress } from '@svc/kit-evm'
import { Type } from 'typebox'
import { askRequest, isReady } from '../chain/request.ts'
import { askAll, chainTime, vault } from '../chain/vault.ts'
import { badRequest } from '../codes.ts'
import { defineAction } from '../network.ts'
import { explainRefusal, paused } from './refusals.ts'

/** Pays a redeem request out whose time has come. */
export const withdraw = defineAction({
  summary: 'Withdraw a redeem request',
  description: 'Pays the request out to the address in native units, less the withdrawal fee. It must be the open request of the address.',
  body: {
    address: EvmAddress,
    request_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The redeem request: `id` of the staking object, `request_id` of the withdrawal.',
      examples: [42],
    }),
  },
  async guard(ctx, { address, request_id }) {
    const { vault: to } = ctx.network
    const [{ open, terms, isPaused }, now] = await Promise.all([
      askAll(ctx, {
        open: vault.question(to, 'ownerRequestId', [address]),
        terms: askRequest(ctx.network, BigInt(request_id), address),
        isPaused: vault.question(to, 'paused', []),
      }),
      chainTime(ctx),
    ])
    if (open !== BigInt(request_id)) {
      const instead = open === 0n ? 'it has none' : `its open request is ${open}`
      throw badRequest('REQUEST_UNKNOWN', `Redeem request ${request_id} is not an open one of ${address}; ${instead}.`)
    }
    if (terms === null)
      throw badRequest(
        'REQUEST_UNKNOWN',
        `Redeem request ${request_id} of ${address} names another address as its controller. This service claims only what the address controls itself; the vault takes a claim of it directly.`,
      )
    if (!isReady(terms, now))
      throw badRequest(
        'WITHDRAWAL_NOT_READY',
        `Redeem request ${request_id} can be withdrawn from ${instant(terms.readyAt)} on; by the chain's clock it is ${instant(now)}.`,
      )
    // The vault itself; what is behind it pays while it is paused.
    if (isPaused) throw paused('withdrawals')
  },
  craft: ({ vault: to }, { address, request_id }) => ({
    from: address,
    to,
    data: vault.encodeFunctionData('redeemMON', [request_id, address, address]),
    explain: (data) => explainRefusal(data, 'the redeem request cannot be claimed yet'),
  }),
  effects: (network, input) => intent.withdraw.effects(network, input),
})

function instant(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString()
}
