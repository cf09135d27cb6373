# The work is in .ci/, so that a person and CI run the same scripts.

help: ## what there is to run
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' Makefile | expand -t 14

play: ## the page on this machine
	@.ci/play

test: ## every test that needs no browser and no cluster
	@.ci/test

bench: ## how fast it is
	@.ci/bench

lint: ## formatting and lints
	@.ci/lint

setup: ## everything that the others need, installed once
	@.ci/setup

.PHONY: help play test bench lint setup
