import { sha256 } from '@cosmjs/crypto'
import { parseUnits, SandboxError, show } from '@svc/sandbox'
import { moduleBytes, toAddress } from './address.ts'
import type { Context } from './context.ts'
import { one, parseDec, toDec } from './dec.ts'
import type { CosmosGenesis } from './genesis.ts'
import { ensureAccount, moduleAddress, modules } from './modules/auth.ts'
import { delegateCoins, mintCoins } from './modules/bank.ts'
import { incrementPeriod, initializeDelegation, initializeValidator } from './modules/distribution.ts'
import { updateValidatorSet } from './modules/validators.ts'
import { openState, type State, status, type Validator } from './state.ts'

/** The state before the first block: modules, idle coins, and validators with their own stake, the strongest of them bonded. */
export function buildState(chainId: string, genesis: CosmosGenesis, time: number): State {
  checkGenesis(genesis)
  const state = openState()
  const ctx: Context = { chainId, genesis, state, height: 0n, time, proposer: '', events: [] }
  for (const module of modules) ensureAccount(state, moduleAddress(genesis, module), { module })
  mintCoins(ctx, toAddress(genesis.prefix, moduleBytes(`${chainId}/idle`)), parseUnits(genesis.idleSupply, genesis.decimals))
  for (const validator of genesis.validators) {
    const bytes = moduleBytes(`${chainId}/${validator.moniker}`)
    const operator = operatorAddress(chainId, genesis, validator.moniker)
    const account = toAddress(genesis.prefix, bytes)
    const tokens = parseUnits(validator.tokens, genesis.decimals)
    state.validators.set(operator, newValidator(operator, validator.moniker, parseDec(validator.commission)))
    initializeValidator(state, operator)
    incrementPeriod(state, state.validators.existing(operator))
    mintCoins(ctx, account, tokens)
    delegateCoins(ctx, account, 'not_bonded_tokens_pool', tokens)
    state.validators.set(operator, { ...state.validators.existing(operator), tokens, shares: toDec(tokens) })
    state.delegations.set(`${operator}/${account}`, toDec(tokens))
    initializeDelegation(ctx, operator, account)
  }
  updateValidatorSet(ctx)
  return state
}

/** Operator address of a validator of the genesis, by its name; the first one's when absent. @throws SandboxError `INVALID_INPUT` when there is none */
export function operatorNamed(chainId: string, genesis: CosmosGenesis, moniker?: string): string {
  const found = moniker === undefined ? genesis.validators[0] : genesis.validators.find((validator) => validator.moniker === moniker)
  if (found === undefined) throw new SandboxError('INVALID_INPUT', `cosmos:${chainId} has no validator ${show(moniker)}`)
  return operatorAddress(chainId, genesis, found.moniker)
}

/** Operator address of a validator of the genesis. */
function operatorAddress(chainId: string, genesis: Pick<CosmosGenesis, 'prefix'>, moniker: string): string {
  return toAddress(`${genesis.prefix}valoper`, moduleBytes(`${chainId}/${moniker}`))
}

/** Reads every rate once, so that a wrong one is met here and not in a query later. @throws RangeError */
function checkGenesis({ distribution, fees, mint, slashing, staking, validators }: CosmosGenesis): void {
  const rates: Readonly<Record<string, string>> = {
    communityTax: distribution.communityTax,
    minCommission: staking.minCommission,
    doubleSignFraction: slashing.doubleSignFraction,
    downtimeFraction: slashing.downtimeFraction,
    minSignedPerWindow: slashing.minSignedPerWindow,
    ...(mint.kind === 'inflation'
      ? { inflation: mint.inflation, inflationMax: mint.inflationMax, inflationMin: mint.inflationMin, goalBonded: mint.goalBonded }
      : { initial: mint.initial, disinflation: mint.disinflation, floor: mint.floor }),
  }
  for (const [name, text] of Object.entries(rates)) {
    if (parseDec(text) > one) throw new RangeError(`${name} is ${text}: a rate is at most 1`)
  }
  if (mint.kind === 'inflation') parseDec(mint.inflationRateChange)
  else if (Number.isNaN(Date.parse(mint.since))) throw new RangeError(`since is ${mint.since}: it must be a time in ISO-8601`)
  const prices = fees.kind === 'feemarket' ? [fees.minBasePrice, fees.learningRate] : [fees.nodePrice, fees.networkPrice]
  for (const price of prices) parseDec(price)
  if (validators.length === 0) throw new RangeError('validators is empty: somebody must make the blocks')
  const names = validators.map(({ moniker }) => moniker)
  if (new Set(names).size < names.length) throw new RangeError(`validators are ${names.join(', ')}: no two may have the same moniker`)
  for (const { moniker, commission } of validators) {
    const rate = parseDec(commission)
    if (rate < parseDec(staking.minCommission) || rate > one) {
      throw new RangeError(`commission of ${moniker} is ${commission}: it must be from ${staking.minCommission} to 1`)
    }
  }
}

function newValidator(operator: string, moniker: string, commission: bigint): Validator {
  return {
    operator,
    moniker,
    // No block is signed here, so nobody needs to know the other half of it.
    consensusKey: sha256(new TextEncoder().encode(operator)),
    tokens: 0n,
    shares: 0n,
    commission,
    status: status.unbonded,
    jailed: false,
    tombstoned: false,
    jailedUntil: 0,
    unbondingHeight: 0n,
    unbondingTime: 0,
  }
}
