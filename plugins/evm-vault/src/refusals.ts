/** Meanings of errors of a vault, of its libraries and of the Keeper, by the selectors of these parameterless custom errors. */
const REFUSALS: Readonly<Record<string, string>> = {
  '0xe7757151': 'the vault is behind the oracles and must be harvested first (NotHarvested)',
  '0x9ff41fe0': 'the vault is full (CapacityExceeded)',
  '0x60dd3f44': 'the amount is worth nothing (InvalidAssets)',
  '0x6edcc523': 'the amount is less than one share (InvalidShares)',
  '0xd92e233d': 'the receiver is the zero address (ZeroAddress)',
  '0x4ca88867': 'the vault does not admit this address (AccessDenied)',
  '0x3684c659': 'the rest of the stake would not cover the minted osToken (LowLtv)',
  '0x1c7b1d1a': 'the exit is not processed, or not mature yet (ExitRequestNotProcessed)',
  '0xe8722f8f': 'the exit queue moved meanwhile (InvalidCheckpointIndex)',
  '0x14c5f7b6': 'the vault has no validators yet (NotCollateralized)',
  '0x09bde339': 'the oracles’ values do not match their proof (InvalidProof)',
  '0xd526111a': 'the oracles’ values are too old (InvalidRewardsRoot)',
  '0x1613b7eb': 'the exit is not mature yet (ClaimTooEarly)',
  '0x96d80433': 'the vault has not enough free ETH (InsufficientAssets)',
  '0xce7e065e': 'there is no osToken position (InvalidPosition)',
  '0xefda1a27': 'the osToken is worth more than the shares, or than the vault has free (InvalidReceivedAssets)',
  '0x30b9f8da': 'the shares cover the minted osToken well enough (InvalidHealthFactor)',
  '0xd6bda275': 'the receiver does not take ETH (FailedCall)',
  '0x1425ea42': 'the receiver does not take ETH (FailedInnerCall)',
}
/** Solidity's arithmetic panic: more shares than there are. */
const UNDERFLOW = `0x4e487b71${'11'.padStart(64, '0')}`

/** Explains a vault's refusal in words; null for one that is not known. @param data return data of the refused call */
export function explain(data: string): string | null {
  if (data === UNDERFLOW) return 'the address has not that many shares any more (panic 0x11)'
  return REFUSALS[data.slice(0, 10)] ?? null
}
