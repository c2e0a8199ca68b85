// Names a component of a list: what it is, and the first text that is in it, which changes while it is written.

import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { useDerivedValue } from '../../form/context.tsx'
import { itemTitle } from '../../model/item-title.ts'
import type { Component } from '../../model/types.ts'

/** The first text of the component at a path; null if there is none. */
export function useItemTitle(path: string, component: Component | undefined): string | null {
  const derive = useCallback(
    (values: unknown) =>
      component === undefined || typeof values !== 'object' || values === null
        ? null
        : itemTitle(component, values as Record<string, unknown>),
    [component],
  )
  return useDerivedValue(path, derive)
}

/** "2 Quote": short enough to stand in the names of buttons. */
export function useItemName(): (index: number, component: Component | undefined) => string {
  const t = useTranslations('items')
  return (index, component) => `${index + 1} ${component?.label ?? t('unknown')}`
}
