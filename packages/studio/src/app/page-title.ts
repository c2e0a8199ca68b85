// Gives the window the title of the page.

import { useEffect } from 'react'
import { start } from '../api/start.ts'

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? start.title : `${title} · ${start.title}`
  }, [title])
}
