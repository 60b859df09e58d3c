// For protocols that tell the book of a wallet.
export {
  type Amounts,
  assetOf,
  type Book,
  type BookReading,
  type Bucket,
  bucketName,
  type Earning,
  type Earnings,
  type EntryKind,
  type Flow,
  type FlowKind,
  type Flows,
  type Mark,
  type Place,
  type UnknownReason,
} from './ledger/book.ts'
