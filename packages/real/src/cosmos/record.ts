/**
 * Names of recordings that name nothing of one chain alone: the envelope of the RPC, heights, parameters, paths, and hashes that nobody has. They are
 * asked again word by word. The others name accounts and transactions of the chain on which they were made.
 */
export const ANYWHERE =
  /^(rpc-(?!get-tx|too-large)|(block|block-results|header|validators)-height-(?!next)|blockchain-(negative|one|ahead|reversed)|query-[a-z]+-params$|query-(unknown|garbage|empty|bad|odd|no)-|query-gas-price|query-inflation|tx-(bad|hex|no|short|unknown)-hash|tx-status-(no|short|unknown)-hash|tx-search-(bad|none|empty)|broadcast-(garbage|empty|bad-base64|no-param)$|simulate-(garbage|empty)$)/
