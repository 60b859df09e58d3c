import { type Clause, type DecodedCall, integerArg, type Move, move, type NetworkTerms, quoted, textArg, tokens } from '@svc/verify/intent'
import { stakeProgram, system } from './layouts.ts'

/** Puts one instruction into words: who gets what, and who decides over it. */
export function describe(call: DecodedCall, network: NetworkTerms): Clause | null {
  const [name] = call.method.split('(')
  if (call.target === system.address) return ofSystem(call, name, network)
  return call.target === stakeProgram.address ? ofStake(call, name, network) : null
}

function ofSystem(call: DecodedCall, name: string | undefined, network: NetworkTerms): Clause | null {
  const of = (argument: string) => textArg(call, argument)
  const lamports = () => tokens(integerArg(call, 'lamports'), network)
  switch (name) {
    case 'System.AdvanceNonceAccount':
      return { text: `use up the value of the nonce account ${of('nonceAccount')}, whose authority is ${of('authority')}`, moves: [] }
    case 'System.CreateAccount':
    case 'System.CreateAccountWithSeed': {
      const derived = name === 'System.CreateAccount' ? '' : ` derived from ${of('base')} by the seed ${quoted(of('seed'))},`
      const owner = of('owner') === stakeProgram.address ? 'stake program' : of('owner') === system.address ? 'system program' : 'program'
      return {
        text: `make the account ${of('newAccount')},${derived} of ${integerArg(call, 'space')} bytes for the ${owner} ${of('owner')} with ${lamports()} of ${of('from')}`,
        moves: call.value > 0n ? [move('leaves', call.value)] : [],
      }
    }
    case 'System.InitializeNonceAccount':
      return { text: `make ${of('nonceAccount')} a nonce account whose authority is ${of('authority')}`, moves: [] }
    case 'System.WithdrawNonceAccount':
      return { text: `withdraw ${lamports()} from the nonce account ${of('nonceAccount')} ${paid(call)}`, moves: received(call) }
    default:
      return null
  }
}

function ofStake(call: DecodedCall, name: string | undefined, network: NetworkTerms): Clause | null {
  const of = (argument: string) => textArg(call, argument)
  switch (name) {
    case 'Stake.Initialize':
      return {
        text: `give the stake account ${of('stake')} the staker ${of('staker')}, the withdrawer ${of('withdrawer')} and ${lockup(call)}`,
        moves: [],
      }
    case 'Stake.DelegateStake':
      return {
        text: `delegate the stake account ${of('stake')} to validator ${of('vote')} by the authority of ${of('authority')}`,
        moves: [move('staked', null)],
      }
    case 'Stake.Withdraw': {
      const custodian = Object.hasOwn(call.args, 'custodian') ? `, though it is locked, by its custodian ${of('custodian')}` : ''
      return {
        text: `withdraw ${tokens(integerArg(call, 'lamports'), network)} from the stake account ${of('stake')} ${paid(call)}${custodian}`,
        moves: received(call),
      }
    }
    case 'Stake.Deactivate':
      return {
        text: `deactivate the stake account ${of('stake')}, whole, by the authority of ${of('authority')}`,
        moves: [move('freed', null)],
      }
    default:
      return null
  }
}

function paid(call: DecodedCall): string {
  return `to ${textArg(call, 'recipient')} by the authority of ${textArg(call, 'authority')}`
}

/** Lists the move of a payment: one to somebody else than the authority does not arrive. */
function received(call: DecodedCall): readonly Move[] {
  const kind = textArg(call, 'recipient') === textArg(call, 'authority') ? 'arrives' : 'freed'
  return [{ kind, asset: 'native', amount: integerArg(call, 'lamports') }]
}

function lockup(call: DecodedCall): string {
  const [seconds, epoch, custodian] = [integerArg(call, 'lockupTimestamp'), integerArg(call, 'lockupEpoch'), textArg(call, 'custodian')]
  if (seconds === 0n && epoch === 0n && custodian === system.address) return 'no lockup'
  return `a lockup until epoch ${epoch} and second ${seconds} of Unix time, which only the custodian ${custodian} can lift`
}
