// Keeps a fault in one input from ending the whole form: the value is then shown as it is, and is not lost.

import { Component, type ReactNode } from 'react'
import { LockedInput } from '../inputs/locked.tsx'
import type { InputProps } from '../inputs/props.ts'

interface Props {
  readonly input: InputProps
  readonly children: ReactNode
}

export class InputBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <LockedInput {...this.props.input} hasFailed /> : this.props.children
  }
}
