export { type Abi, parseAbi, type Question } from './abi.ts'
export type { AnswerOf, ArgumentsOf, MethodOf } from './abi-types.ts'
export { checksumAddress, EvmAddress } from './address.ts'
export { readAmount, readBytes, readQuantity } from './answer.ts'
export type { EvmDraft } from './assemble.ts'
export { EvmClient } from './client.ts'
export { askEach } from './each.ts'
export { evm } from './kit.ts'
export { logStream } from './ledger/log-stream.ts'
export { areConfirmed, type LogFilter, type PlacedLog, readTimes } from './ledger/logs.ts'
export { type FinalMark, finalMark, finalOf, holdsBlock, knownBlock } from './ledger/mark.ts'
export { type EvmEvent, eventsOf } from './life/events.ts'
export type { EvmLog, EvmReceipt } from './life/receipt.ts'
export { finalAfter, inclusionMs, indexDepth, txpoolStatus } from './life/settings.ts'
export type { EvmPreflight } from './preflight.ts'
export {
  type Answer,
  type Answers,
  type AskOptions,
  type MalformedPolicy,
  type NoAnswer,
  type Questions,
  type Reader,
  reader,
} from './reader.ts'
export { bookLogs, EVM_NODE } from './requirements.ts'
export { revertReason } from './reverts.ts'
export { type EvmNetwork, type EvmSettings, evmSettings, gasLimitPercent, logBlocks, maxGasLimit } from './settings.ts'
export { logStirrings } from './stirrings.ts'
export { holderOf, readProxyPowers, termText } from './terms.ts'
export { readDelegate, walletPowers, withDelegate } from './wallet-code.ts'
export { readDelegates } from './wallet-codes.ts'
export { evmWire } from './wire.ts'
