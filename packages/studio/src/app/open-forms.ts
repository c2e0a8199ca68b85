// Counts the forms that are open, so that a token that has ended does not take what is typed in them from the page.

import { useEffect } from 'react'

let count = 0

export const isFormOpen = (): boolean => count > 0

/** Counts a form as long as it is on the page. */
export function useOpenForm(): void {
  useEffect(() => {
    count++
    return () => {
      count--
    }
  }, [])
}
