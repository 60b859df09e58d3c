// What a process needs that starts others to serve and serves nothing itself: it holds their data folder and adds up their counters. It loads neither the
// service nor the contract.

export { listenUrl } from './base/listen-url.ts'
export { createSums, type Series, type Sums } from './base/sums.ts'
export { type DataFolderLock, takeDataFolder } from './db/lock-file.ts'
