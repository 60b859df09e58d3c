import { Amount, meansAll } from '@svc/contract'
import * as intent from '@svc/intent-evm-three-liquid'
import { EvmAddress } from '@svc/kit-evm'
import { Type } from 'typebox'
import { askLimits, assetsOf, limitsOf, type Pool, sharesOf } from '../chain/pool.ts'
import { answered, ask, askPool, vault } from '../chain/vault.ts'
import { badGateway, badRequest } from '../codes.ts'
import { defineAction, type LiquidContext, type LiquidNetwork, validatorFor } from '../network.ts'
import { explainRefusal, isShort, mon, paused, worthless } from './refusals.ts'

/** Member of a body that names a former validator. */
const Choice = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      "Id of the validator whose stake is undelegated for the request, where it is a former one of the operator's. Without it that of the settings is meant, and where they name none the pool's choice.",
    examples: [12],
  }),
)

/** Burns the shares that an amount is worth and opens the redeem request. */
export const undelegate = defineAction({
  summary: 'Request the redemption of an amount',
  description:
    'Burns the shares that `amount` (in native units, not in shares) is worth at the moment, rounded down, and at the minimum up. The amount ' +
    'of the request is fixed; what its stake still earns until it leaves its validators is paid with it. ' +
    'An address has one open request at most. An amount that differs from the whole position by less than the precision of a JSON number means all of it.',
  body: { address: EvmAddress, amount: Amount(), validatorId: Choice },
  read(ctx, { address, amount, validatorId }) {
    // Before anything is asked.
    validatorFor(ctx.network, validatorId)
    return readRedemption(ctx, address, amount)
  },
  craft: (network, { address, validatorId }, { shares }) => {
    const { vault: to } = network
    const validator = validatorFor(network, validatorId)
    return {
      from: address,
      to,
      data:
        validator === undefined
          ? vault.encodeFunctionData('requestRedeem', [shares, address, address])
          : vault.encodeFunctionData('requestRedeemGVault', [shares, address, address, validator]),
      explain(data) {
        const words = explainRefusal(data, 'the address has an open redeem request; withdraw it first')
        return words !== null && isShort(data) ? `${words}${othersOf(network, validator)}` : words
      },
    }
  },
  effects: (network, input, books) => intent.undelegate.effects(network, input, { shares: books }),
})

/** The other validators whose stake can be asked for, in words. */
function othersOf({ validator_id, former_validators: former }: LiquidNetwork, here: number | undefined): string {
  const others = [...(validator_id === undefined ? [] : [validator_id]), ...former].filter((each) => each !== here)
  return others.length === 0
    ? ''
    : `; or ask for that of another validator of the operator's, ${others.join(', ')}, as in ${JSON.stringify({ validatorId: others[0] })}`
}

/** Facts from which a request for redemption follows, all of one state of the chain. */
interface Redemption {
  /** True if the whole position leaves. */
  readonly all: boolean
  /** Shares of the position. */
  readonly position: bigint
  /** Shares that are burned: the amount asked for in shares, as the vault says, or what the vault's least redemption takes. */
  readonly shares: bigint
  readonly pool: Pool
  /** Least that a request must be worth, in wei. */
  readonly minimum: bigint
}

/**
 * @param amount wei asked for
 * @throws 400 VAULT_PAUSED, REQUEST_OPEN, INSUFFICIENT_STAKE, AMOUNT_WORTHLESS, BELOW_MINIMUM_WITHDRAWAL
 */
async function readRedemption(ctx: LiquidContext, address: string, amount: bigint): Promise<Redemption> {
  const { vault: to } = ctx.network
  const questions = askLimits(ctx)
  const answers = await ask(ctx, {
    ...questions,
    position: vault.question(to, 'balanceOf', [address]),
    ...askPool(ctx.network),
    open: vault.question(to, 'ownerRequestId', [address]),
    converted: vault.question(to, 'convertToShares', [amount]),
  })
  const limits = await limitsOf(ctx, questions, answers)
  const [position, open] = [answered(answers.position), answered(answers.open)]
  const pool = { shares: answered(answers.shares), assets: answered(answers.assets) }
  if (limits.paused) throw paused('redemptions')
  if (open !== 0n)
    throw badRequest('REQUEST_OPEN', `${address} has an open redeem request, ${open}, and may have one at a time; withdraw it first.`)

  const worth = assetsOf(position, pool)
  const all = meansAll(amount, worth, 18)
  if (amount > worth && !all) throw badRequest('INSUFFICIENT_STAKE', `${mon(amount)} is more than the position, which is ${mon(worth)}.`)
  const converted = all ? position : answered(answers.converted)
  if (converted === 0n) throw worthless(amount)
  if ((all ? worth : amount) < limits.minimum) throw tooLittle(all ? worth : amount, limits.minimum, all)
  // Read call by call, as where a chain has no multicall contract, the answers may be of two states.
  if (!all && converted !== sharesOf(amount, pool))
    throw badGateway('VAULT_UNREADABLE', "The vault's price changed while it was read; try again.")
  const least = leastShares(limits.minimum, pool)
  return { all, position, shares: all || converted > least ? converted : least, pool, minimum: limits.minimum }
}

/** Fewest shares that are worth an amount in wei: rounded down, an amount is worth a little less than itself. */
function leastShares(assets: bigint, pool: Pool): bigint {
  const shares = sharesOf(assets, pool)
  return assetsOf(shares, pool) < assets ? shares + 1n : shares
}

function tooLittle(amount: bigint, minimum: bigint, all: boolean) {
  const what = all ? `The whole position, ${mon(amount)}, is` : `${mon(amount)} is`
  return badRequest('BELOW_MINIMUM_WITHDRAWAL', `${what} less than a redemption must be at present, which is ${mon(minimum)}.`)
}
