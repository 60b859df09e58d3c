import { Amount, badRequest } from '@svc/contract'
import { call, EvmAddress } from '@svc/kit-evm'
import { Type } from 'typebox'
import { defineAction } from './network.ts'
import { readRedemption, refuseDeposit } from './pool.ts'
import { explainRefusal } from './refusals.ts'
import { askRequest, chainTime, isReady } from './request.ts'
import { askAll, askVault, vault } from './vault.ts'

/** Monad's execution keeps 10 tokens back unless the account was quiet. @see https://docs.monad.xyz/developer-essentials/reserve-balance (read 2026-11-21) */
const RESERVE = 'An account that sent something within the last three blocks must keep 10 MON on Monad.'

/** Deposits into the pool; gMON is minted to the address at once. */
export const delegate = defineAction({
  summary: 'Deposit into the pool and receive gMON',
  description: 'The pool token is minted at once and never rebases: what it earns shows in the price of a share.',
  body: { address: EvmAddress, amount: Amount({ minimum: '100' }) },
  guard: (ctx, { amount }) => refuseDeposit(ctx, amount),
  craft: ({ vault: to, validator_id, referral_id }, { address, amount }) => ({
    from: address,
    to,
    value: amount,
    data:
      validator_id === undefined
        ? vault.encodeFunctionData('depositMON', [address, referral_id])
        : vault.encodeFunctionData('depositMONGVault', [address, validator_id, referral_id]),
    hint: RESERVE,
    explain: explainRefusal,
  }),
  effects(network, { address, amount }) {
    const referral = BigInt(network.referral_id)
    const pooled = call(network.vault, 'depositMON(address receiver, uint256 referral)', { receiver: address, referral }, amount)
    if (network.validator_id === undefined) return { signers: [address], calls: [pooled] }
    const method = 'depositMONGVault(address receiver, uint64 validator, uint256 referral)'
    const validator = BigInt(network.validator_id)
    return { signers: [address], calls: [call(network.vault, method, { receiver: address, validator, referral }, amount)] }
  },
})

/** Burns the shares that an amount is worth and opens the redeem request. */
export const undelegate = defineAction({
  summary: 'Request the redemption of an amount',
  description:
    'Burns the shares that `amount` (in native units, not in shares) is worth at the moment, rounded down; the request earns nothing more. ' +
    'An address has one open request at most. An amount that differs from the whole position by less than the precision of a JSON number means all of it.',
  body: { address: EvmAddress, amount: Amount() },
  read: (ctx, { address, amount }) => readRedemption(ctx, address, amount),
  craft: ({ vault: to, validator_id }, { address }, { all, position, converted }) => {
    const shares = all ? position : converted
    return {
      from: address,
      to,
      data:
        validator_id === undefined
          ? vault.encodeFunctionData('requestRedeem', [shares, address, address])
          : vault.encodeFunctionData('requestRedeemGVault', [shares, address, address, validator_id]),
      explain: (data) => explainRefusal(data, 'the address has an open redeem request; withdraw it first'),
    }
  },
  effects(network, { address, amount }, { all, position, pool }) {
    // By the published formula from the pool's books; the other entry has the vault's own answer.
    const product = amount * (pool.shares + 1n)
    const shares = all ? position : (product - (product % (pool.assets + 1n))) / (pool.assets + 1n)
    const pooled = call(network.vault, 'requestRedeem(uint256 shares, address controller, address owner)', {
      shares,
      controller: address,
      owner: address,
    })
    if (network.validator_id === undefined) return { signers: [address], calls: [pooled] }
    const method = 'requestRedeemGVault(uint256 shares, address controller, address owner, uint64 validator)'
    const validator = BigInt(network.validator_id)
    return { signers: [address], calls: [call(network.vault, method, { shares, controller: address, owner: address, validator })] }
  },
})

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
    const [[open, terms], now] = await Promise.all([
      askAll(ctx, [askVault(ctx, 'ownerRequestId', address), askRequest(ctx, BigInt(request_id), address)]),
      chainTime(ctx),
    ])
    if (open !== BigInt(request_id)) {
      const instead = open === 0n ? 'it has none' : `its open request is ${open}`
      throw badRequest('REQUEST_UNKNOWN', `Redeem request ${request_id} is not an open one of ${address}; ${instead}.`)
    }
    if (terms === null)
      throw badRequest(
        'REQUEST_UNKNOWN',
        `Redeem request ${request_id} of ${address} is controlled by another address, which alone can claim it.`,
      )
    if (!isReady(terms, now))
      throw badRequest(
        'WITHDRAWAL_NOT_READY',
        `Redeem request ${request_id} can be withdrawn from ${instant(terms.readyAt)} on; by the chain's clock it is ${instant(now)}.`,
      )
  },
  craft: ({ vault: to }, { address, request_id }) => ({
    from: address,
    to,
    data: vault.encodeFunctionData('redeemMON', [request_id, address, address]),
    explain: (data) => explainRefusal(data, 'the redeem request cannot be claimed yet'),
  }),
  effects: (network, { address, request_id }) => ({
    signers: [address],
    calls: [
      call(network.vault, 'redeemMON(uint256 request, address controller, address receiver)', {
        request: BigInt(request_id),
        controller: address,
        receiver: address,
      }),
    ],
  }),
})

function instant(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString()
}
