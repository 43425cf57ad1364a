// An array that a class makes when it is initialised is one, whichever thread
// comes first; threads that use elements of others race.
public class StaticArray {
	static final int[] cells = new int[4];

	static class Cell extends Thread {
		final int i;

		Cell(int i) {
			this.i = i;
		}

		@Override
		public void run() {
			cells[i] = cells[(i + 1) % 4]; // want race "cells"
		}
	}

	public static void main(String[] args) {
		for (int i = 0; i < 4; i++) {
			new Cell(i).start();
		}
	}
}
