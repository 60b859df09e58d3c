/**
 * `@solana/web3.js`, as it is. Imported from here, so that one copy of it is in an installation: the one whose dependencies carry no version
 * under an advisory.
 */
export * from '@solana/web3.js'
