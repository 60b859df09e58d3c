/** Shows how many of a few steps are done, as dots, and the word of the furthest. */
export function Steps({ done, children }: { readonly done: readonly boolean[]; readonly children: string }) {
  return (
    <span class="steps">
      <span class="track" aria-hidden="true">
        {done.map((each, place) => (
          <i key={place} class={each ? '' : 'todo'} />
        ))}
      </span>
      {children}
    </span>
  )
}
