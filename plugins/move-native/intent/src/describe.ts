import { type Clause, type DecodedCall, type Move, move, type NetworkTerms, textArg, tokens } from '@svc/verify/intent'
import { ADD, COIN, COMMANDS, FROM_BALANCE, REDEEM, SPLIT, SYSTEM, TRANSFER, WITHDRAW } from './functions.ts'

/** Puts one command into words. The result of an earlier command is named by that command's number, from 1. */
export function describe(call: DecodedCall, network: NetworkTerms): Clause | null {
  switch (`${call.target} ${call.method}`) {
    case `${COMMANDS} ${SPLIT}`: {
      const amounts = list(call, 'amounts').map((each) => (typeof each === 'bigint' ? each : 0n))
      const amountText = amounts.map((each) => tokens(each, network)).join(' and ')
      const coin = textArg(call, 'coin')
      // What is split off a coin in the wallet leaves it, whatever is done with it then.
      return {
        text: `split ${amountText} off ${named(coin)}`,
        moves: [
          move(
            'leaves',
            amounts.reduce((sum, each) => sum + each, 0n),
          ),
        ],
      }
    }
    case `${COMMANDS} ${TRANSFER}`: {
      const objects = list(call, 'objects').map((each) => named(String(each)))
      return { text: `transfer ${objects.join(' and ')} to ${textArg(call, 'recipient')}`, moves: [] }
    }
    case `${SYSTEM} ${ADD}`:
      return {
        text: `stake ${named(textArg(call, 'stake'))} with validator ${textArg(call, 'validator')}, as a position of the sender`,
        moves: [move('staked', null)],
      }
    case `${SYSTEM} ${WITHDRAW}`:
      return {
        text: `withdraw the position ${textArg(call, 'stakedSui')}, whole and with its rewards, to the sender`,
        moves: [freed(call), move('arrives', null)],
      }
    case `${SYSTEM} ${REDEEM}`:
      return {
        text: `redeem the fungible position ${textArg(call, 'stakedSui')}, whole and with its rewards`,
        moves: [freed(call)],
      }
    case `${COIN} ${FROM_BALANCE}`:
      return { text: `make a coin of ${named(textArg(call, 'balance'))}`, moves: [] }
    default:
      return null
  }
}

/** What a position pays, whole: the bytes name it, and not how much that is. */
function freed(call: DecodedCall): Move {
  return { ...move('freed', null), objectId: textArg(call, 'stakedSui') }
}

function list({ args }: DecodedCall, name: string): readonly unknown[] {
  const value = args[name]
  return Array.isArray(value) ? value : []
}

/** Names a command's argument, as a person reads it. */
function named(argument: string): string {
  if (argument === 'GasCoin') return 'the coins that pay for gas'
  const [, command, result] = /^Result\((\d+),(\d+)\)$/.exec(argument) ?? []
  if (command === undefined || result === undefined) return `the object ${argument}`
  return `what step ${Number(command) + 1} made${result === '0' ? '' : ` as number ${Number(result) + 1}`}`
}
