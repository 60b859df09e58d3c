/** An amount in the body of an action. */
export interface AmountMember {
  readonly action: string
  readonly name: string
  readonly decimals: number
  /** That of the example, in base units. */
  readonly amount: bigint
}

/** One for which another amount close to it is accepted. */
export interface Member extends AmountMember {
  /** A base unit more, or less where that is refused. */
  readonly near: bigint
}
