import {
  type Clause,
  type DecodedCall,
  formatUnits,
  integerArg,
  type Move,
  move,
  type NetworkTerms,
  quoted,
  textArg,
  tokens,
} from '@svc/verify/intent'
import { associatedToken, memo, stakes, system } from './layouts.ts'
import { poolOf } from './pool.ts'
import type { Terms } from './terms.ts'

/** Puts one instruction into words: who gives what, to whom, and who decides over it. */
export function describe(call: DecodedCall, network: Terms & NetworkTerms): Clause | null {
  switch (call.target) {
    case system.address:
      return call.method.startsWith('System.CreateAccountWithSeed(') ? ofAccount(call, network) : null
    case stakes.address:
      return call.method.startsWith('Stake.Deactivate(') ? ofDeactivation(call) : null
    case associatedToken.address:
      return ofTokenAccount(call)
    case memo.address:
      return { text: `leave the memo ${quoted(textArg(call, 'memo'))}`, moves: [] }
    case poolOf(network).program:
      return ofPool(call, network)
    default:
      return null
  }
}

function ofPool(call: DecodedCall, network: Terms & NetworkTerms): Clause | null {
  const { pool, mint, tokenProgram } = poolOf(network)
  const { args, method, target } = call
  if (args.pool !== pool || args.mint !== mint || args.tokenProgram !== tokenProgram) return null
  const of = (argument: string) => textArg(call, argument)
  const where = `the stake pool ${pool} through ${target}`
  if (method.startsWith('StakePool.DepositSol(')) {
    const amount = integerArg(call, 'lamports')
    const spent: readonly Move[] = call.value > 0n ? [move('leaves', call.value)] : []
    return {
      text:
        `deposit ${tokens(amount, network)} of ${of('from')} into ${where} and its reserve ${of('reserve')}, for tokens of the mint ${mint} to ` +
        `${of('poolTokensTo')}, less fees to ${of('managerFee')} and ${of('referralFee')}`,
      moves: [...spent, move('staked', amount), move('arrives', null, mint)],
    }
  }
  const isPaid = method.startsWith('StakePool.WithdrawSol(')
  if (!isPaid && !method.startsWith('StakePool.WithdrawStake(')) return null
  const amount = integerArg(call, 'poolTokens')
  const burnt = `burn ${formatUnits(amount, network.decimals)} tokens of the mint ${mint} out of ${of('poolTokensFrom')} by the authority of ${of('authority')}`
  const gone: Move = move('leaves', amount, mint)
  if (isPaid) {
    const kind = args.recipient === args.authority ? 'arrives' : 'freed'
    return {
      text: `${burnt} for SOL to ${of('recipient')} from the reserve ${of('reserve')} of ${where}, less fees to ${of('managerFee')}`,
      moves: [gone, { kind, asset: 'native', amount: null }],
    }
  }
  return {
    text:
      `${burnt} for stake of ${where}, split from ${of('stakeFrom')} on its list ${of('validatorList')} into ${of('stakeTo')}, whose staker and ` +
      `withdrawer is then ${of('newAuthority')}, less fees to ${of('managerFee')}`,
    moves: [gone, move('freed', null)],
  }
}

function ofAccount(call: DecodedCall, network: NetworkTerms): Clause {
  const of = (argument: string) => textArg(call, argument)
  const owner = of('owner') === stakes.address ? 'stake program' : 'program'
  const lamports = tokens(integerArg(call, 'lamports'), network)
  return {
    text:
      `make the account ${of('newAccount')}, derived from ${of('base')} by the seed ${quoted(of('seed'))}, of ${integerArg(call, 'space')} bytes ` +
      `for the ${owner} ${of('owner')} with ${lamports} of ${of('from')}`,
    moves: call.value > 0n ? [move('leaves', call.value)] : [],
  }
}

function ofDeactivation(call: DecodedCall): Clause {
  const text = `deactivate the stake account ${textArg(call, 'stake')}, whole, by the authority of ${textArg(call, 'authority')}`
  return { text, moves: [move('freed', null)] }
}

function ofTokenAccount(call: DecodedCall): Clause {
  const of = (argument: string) => textArg(call, argument)
  return {
    text:
      `make the token account ${of('tokenAccount')} of ${of('owner')} for the mint ${of('mint')} with the token program ${of('tokenProgram')}, if it ` +
      `is missing, at the expense of ${of('payer')}`,
    moves: [move('leaves', null)],
  }
}
