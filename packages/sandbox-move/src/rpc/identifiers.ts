import { isValidTransactionDigest } from '@mysten/sui/utils'
import { invalid } from '../errors.ts'

/** Checks an address or id of a request, and returns it in full. @throws GrpcError `INVALID_ARGUMENT` */
export function isAddress(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw invalid(`missing ${name}`)
  if (!/^0x[0-9a-f]{1,64}$/i.test(value)) throw invalid(`invalid ${name}: ${value}`)
  return `0x${value.slice(2).toLowerCase().padStart(64, '0')}`
}

/** Checks the digest of a transaction in a request. @throws GrpcError `INVALID_ARGUMENT` */
export function isDigest(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw invalid(`missing ${name}`)
  if (!isValidTransactionDigest(value)) throw invalid(`invalid ${name}: ${value}`)
  return value
}
