# Phase 2 ADR-0001
A = {"git"}
# ADR 20260924-drop-dive
B = {"jq"}
# 02-ADR-0001 says
C = {"rg"}
# ADR-P2-001
D = {"fd"}
# adr/0007-tools.md
E = {"sd"}
# See docs/decisions/0008-x.md
F = {"cut"}
# See docs/adr/phase2/0009-x.md
G = {"tr"}
