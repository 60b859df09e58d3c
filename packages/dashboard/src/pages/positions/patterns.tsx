/** Fills that are told apart without colour: lines one way or the other, and dots. */
export const PATTERNED = ['activating', 'leaving', 'withdrawable', 'gap', 'loss'] as const

/** Edge of a tile of a pattern, in pixels. */
const TILE_PX = 6

/** A fill of lines or dots on a tint, to be named by its id. */
export function Pattern({ name, id }: { readonly name: (typeof PATTERNED)[number]; readonly id: string }) {
  return (
    <pattern
      id={id}
      width={TILE_PX}
      height={TILE_PX}
      patternUnits="userSpaceOnUse"
      {...(TURNS[name] ? { patternTransform: `rotate(${TURNS[name]})` } : {})}
    >
      <rect class={`tint-${name}`} width={TILE_PX} height={TILE_PX} />
      {name === 'withdrawable' ? (
        <path class={`lines-${name}`} d="M1.5 1.5h1.5M4.5 4.5h1.5" stroke-width="1.5" />
      ) : (
        <path class={`lines-${name}`} d={`M0 0V${TILE_PX}`} stroke-width="2" />
      )}
    </pattern>
  )
}

/** Angles by which upright lines are turned, in degrees. */
const TURNS = { activating: 45, leaving: -45, withdrawable: 0, gap: 45, loss: -45 } as const
